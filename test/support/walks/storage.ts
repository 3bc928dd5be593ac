/** Walk 4: lakes in Azure Blob Storage, whose containers are folders here. */
import type { Walk } from './walk.ts';

export const STORAGE_WALK: Walk = {
  'src/lake/storage/azure/azure-storage.ts': `/** A lake in Azure Blob Storage. Atomic and durable as files on disk are. */
import path from 'node:path';
import { LocalStorage } from '../local/local-storage.ts';

export class AzureStorage extends LocalStorage {
  override readonly name: string;

  constructor(url: string) {
    super(path.join(process.env.AZURE_CONTAINERS!, url.slice('az://'.length)));
    this.name = url.replace(/\\/$/, '');
  }
}
`,
  'src/lake/state/places.ts': [
    {
      before: 'import { readLakeFile }',
      insert: "import { AzureStorage } from '../storage/azure/azure-storage.ts';\n",
    },
    { before: '  s3: (url)', insert: '  az: (url) => new AzureStorage(url),\n' },
  ],
  'src/core/errors/lake.ts': [{ before: ' or s3://BUCKET', insert: ', az://CONTAINER/PREFIX' }],
  'python/src/filinglake/place.py': [
    {
      before: '    raise UsageError("lake-place-unknown"',
      insert: `    if scheme.group(1).lower() == "az":
        return Folder(Path(os.environ["AZURE_CONTAINERS"]) / text[len("az://") :])
`,
    },
  ],
  'docs/guide/object-storage.md': [
    { before: '## Settings', insert: 'In Azure Blob Storage: `az://CONTAINER/PREFIX`.\n\n' },
  ],
  'test/lake/integration/storage-contract.test.ts': [
    {
      before: "  ...('missing' in s3",
      insert: `  {
    name: 'Azure',
    sharesNames: false,
    make: () => {
      const url = \`az://box/\${randomUUID()}\`;
      return { one: openStorage(url), other: openStorage(url) };
    },
  },
`,
    },
  ],
};
