/** A document of each mapped form, made from its descriptors: a new form is in it by its line in the registry. */
import type { FormColumn, ValuePath } from '../../../src/filings/forms/map/descriptor.ts';
import type { Form, RowSource } from '../../../src/filings/forms/map/form.ts';
import { FORMS } from '../../../src/filings/forms/registry.ts';

interface Node {
  readonly children: Map<string, Node>;
  readonly attributes: Map<string, string>;
  text: string | null;
}

const newNode = (): Node => ({ children: new Map(), attributes: new Map(), text: null });

function below(node: Node, steps: readonly string[]): Node {
  let at = node;
  for (const step of steps) {
    const name = step === '*' ? 'any' : step;
    const child = at.children.get(name) ?? newNode();
    at.children.set(name, child);
    at = child;
  }
  return at;
}

const VALUES: Readonly<Record<FormColumn['type'], string>> = {
  VARCHAR: 'some',
  INTEGER: '7',
  BIGINT: '8',
  BOOLEAN: 'true',
  DATE: '2024-03-31',
  DOUBLE: '0.5',
  'DECIMAL(38,12)': '12.5',
};

function setValue(node: Node, { steps, attribute }: ValuePath, value: string): void {
  const element = below(node, steps);
  if (attribute !== null) element.attributes.set(attribute, value);
  else if (element.children.size === 0) element.text ??= value;
}

function addSource(parent: Node, source: RowSource): void {
  const [at] = [source.at].flat();
  const element = below(parent, at === '' ? [] : at!.split('/'));
  for (const { paths, type, cik } of source.table.columns)
    if (paths[0]) setValue(element, paths[0], cik ? '0000000007' : VALUES[type]);
  for (const one of source.sources ?? []) addSource(element, one);
}

function xmlOf(name: string, { children, attributes, text }: Node): string {
  const given = [...attributes].map(([key, value]) => ` ${key}="${value}"`).join('');
  const inside = [...children].map(([key, child]) => xmlOf(key, child)).join('');
  return `<${name}${given}>${inside === '' ? (text ?? '') : inside}</${name}>`;
}

export interface MadeForm {
  readonly group: string;
  readonly type: string;
  readonly documents: readonly { readonly name: string; readonly type: string; readonly content: string }[];
}

function documentOf(form: Form) {
  const [type] = form.types;
  const root = newNode();
  for (const source of form.sources) addSource(root, source);
  const stated = root.children.get('submissionType') ?? below(root, ['headerData', 'submissionType']);
  if (form.root === 'edgarSubmission') stated.text = type!;
  if (form.root === 'ownershipDocument') below(root, ['documentType']).text = type!;
  const content = `<?xml version="1.0"?>\n${xmlOf(form.root, root)}`;
  return { name: `${form.name}-${form.root}.xml`, type: type ?? 'INFORMATION TABLE', content };
}

/** One filing for each group. */
export const MADE_FORMS: readonly MadeForm[] = [...Map.groupBy(FORMS, ({ name }) => name)].map(([group, forms]) => ({
  group,
  type: forms.find(({ types }) => types.length > 0)!.types[0]!,
  documents: forms.map(documentOf),
}));
