export function installPackages(checkout: string, node: string, onMessage: (line: string) => void): Promise<void>;
