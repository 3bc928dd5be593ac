/** Changes to what a filing holds and in which order: short items, contents elsewhere, parts answered in one paragraph. */
import { random } from '../rearrange.ts';
import { added, type Block, type FilingBlocks, partOfBlock, placesBetweenParagraphs, tagsOf } from './filing-blocks.ts';
import { HEADING_WORDS, setHeadings } from './headings.ts';

export interface StructureVariant {
  name: string;
  /** Null: not for this filing. `absent`: codes that the new filing lacks. */
  apply(filing: FilingBlocks): { filing: FilingBlocks; absent?: string[] } | null;
}

const SENTENCES = [
  'None.',
  'Not applicable.',
  'There was nothing to report in the year.',
  'The Company rents an office of some 4,000 square feet in the town of its registration, which it holds to be enough.',
  'No such matter came up in the fourth quarter. Management knows of none that is threatened.',
  'The information that this item asks for stands in the notes to the statements and is repeated here by reference to them, as the rules of the Commission allow for smaller companies.',
];

export function paragraph(text: string, html: boolean): string {
  return html ? `<p>${text}</p>\n` : `${text.replace(/(.{1,72})(?: |$)/g, '$1\n')}\n`;
}

/** The body replaced by a sentence; its tags stay, so that what follows is set as before. */
function shortened(block: Block, html: boolean, text: string): Block {
  // A heading that runs into its text is part of the body.
  if (block.heading === '') return block;
  const { opening, closing } = tagsOf(block.body, html);
  return { ...block, body: `${closing}${paragraph(text, html)}${opening}` };
}

const heading = (filing: FilingBlocks, text: string) =>
  filing.html ? `<p align="center"><b>${text}</b></p>\n` : `\n                    ${text}\n\n`;

function contentsOf(filing: FilingBlocks, style: 'pages' | 'bare' | 'two lines'): string {
  let part = '';
  const rows = filing.blocks.map((block, k) => {
    const own = partOfBlock(filing, block);
    const head = own === part ? '' : filing.html ? `<p>PART ${own}</p>` : `\nPART ${own}\n`;
    part = own;
    const item = `Item ${block.number ?? block.codes[0]!.replace(/.*-/, '')}.`;
    const page = style === 'pages' ? String(3 + 4 * k) : '';
    if (filing.html && style === 'two lines') return `${head}<div>${item}</div><div>${block.title}</div>`;
    if (filing.html) return `${head}<table><tr><td>${item}</td><td>${block.title}</td><td>${page}</td></tr></table>`;
    return `${head}${item} ${block.title.slice(0, 55)}${page && ` ${'.'.repeat(60 - Math.min(55, block.title.length))} ${page}`}\n`;
  });
  return `${heading(filing, style === 'pages' ? 'TABLE OF CONTENTS' : 'Items of This Report')}${rows.join('')}\n`;
}

const BY_PROXY =
  'The information required by the items of this part is incorporated by reference to the definitive proxy statement for the annual meeting of shareholders, which the Company will file within 120 days of the end of the year. It holds all that the form asks for on directors, pay, ownership, and dealings with related persons.';

const isPart = (filing: FilingBlocks, part: string) => (block: Block) => partOfBlock(filing, block) === part;
const annual = (filing: FilingBlocks) => filing.form !== '10-Q' && !filing.form.startsWith('10-Q');

/** Paragraphs that name items at the beginning of a line. */
const DECOYS = [
  'Item 7 of this report should be read together with the statements.',
  'Item 1A. Risk Factors, which begins on another page, tells what may go wrong, and readers should turn to it before they rely on this.',
  'Items 10 and 11 of Part III hold more about the persons named.',
  'Item 303 of Regulation S-K asks for this table.',
  '&quot;Item 1. Business&quot; above tells more about the segments.',
  'Item 8. Financial Statements and Supplementary Data, Note 12, and Item 3, Legal Proceedings, describe the matter.',
  'Part II, Item 7A of this Annual Report on Form 10-K is part of this paragraph.',
];

export const STRUCTURES: readonly StructureVariant[] = [
  ...(['pages', 'bare', 'two lines'] as const).map(
    (style): StructureVariant => ({
      name: `contents at the end, ${style}`,
      apply: (filing) => ({
        filing: {
          ...filing,
          back: filing.html
            ? filing.back.replace(/(<\/body|$)/i, (end) => contentsOf(filing, style) + end)
            : `${filing.back}\n${contentsOf(filing, style)}`,
        },
      }),
    }),
  ),
  {
    name: 'contents in front of each part',
    apply: (filing) => ({
      filing: {
        ...filing,
        blocks: filing.blocks.map((block, k) => {
          const part = partOfBlock(filing, block);
          if (k > 0 && partOfBlock(filing, filing.blocks[k - 1]!) === part) return block;
          const list = contentsOf({ ...filing, blocks: filing.blocks.filter(isPart(filing, part)) }, 'pages');
          return { ...block, before: block.before + list };
        }),
      },
    }),
  },
  ...(['plain', 'unusual'] as const).map(
    (titles): StructureVariant => ({
      name: `items shortened, ${titles} titles`,
      apply: (filing) => {
        const next = random(23 + filing.front.length);
        const blocks = filing.blocks.map((block) =>
          next() < 0.6 ? shortened(block, filing.html, SENTENCES[Math.floor(next() * SENTENCES.length)]!) : block,
        );
        const short = { ...filing, blocks };
        if (titles === 'plain') return { filing: short };
        const set = setHeadings(short, HEADING_WORDS.find(({ name }) => name === 'unusual titles')!);
        return set && { filing: set };
      },
    }),
  ),
  {
    name: 'all items a line',
    apply: (filing) => ({
      filing: {
        ...filing,
        blocks: filing.blocks.map((block, k) => shortened(block, filing.html, SENTENCES[k % SENTENCES.length]!)),
      },
    }),
  },
  {
    name: 'Part III in one paragraph, without items',
    apply: (filing) => {
      const third = filing.blocks.filter(isPart(filing, 'III'));
      const at = filing.blocks.findIndex(isPart(filing, 'III'));
      if (!annual(filing) || third.length < 3 || at < 1) return null;
      const rest = filing.blocks.filter((block) => !third.includes(block));
      const text = heading(filing, 'PART III') + paragraph(BY_PROXY, filing.html);
      const tags = third.map((block) => tagsAll(block, filing.html)).join('');
      const next = rest[at];
      const blocks = next ? rest.with(at, { ...next, before: text + tags + heading(filing, 'PART IV') }) : rest;
      const back = next ? filing.back : text + tags + filing.back;
      return {
        filing: { ...filing, blocks, back },
        absent: third.flatMap(({ codes }) => codes),
      };
    },
  },
  {
    name: 'a paragraph under PART III',
    apply: (filing) => {
      const at = filing.blocks.findIndex(isPart(filing, 'III'));
      if (!annual(filing) || at < 1) return null;
      const block = filing.blocks[at]!;
      const before =
        heading(filing, 'PART III') +
        paragraph(BY_PROXY, filing.html) +
        tagsAll({ ...block, heading: '', body: '' }, filing.html);
      return { filing: { ...filing, blocks: filing.blocks.with(at, { ...block, before }) } };
    },
  },
  {
    name: 'a paragraph under every part',
    apply: (filing) => ({
      filing: {
        ...filing,
        blocks: filing.blocks.map((block, k) => {
          const part = partOfBlock(filing, block);
          if (k === 0 || partOfBlock(filing, filing.blocks[k - 1]!) === part) return block;
          return {
            ...block,
            before: `${tagsAll({ ...block, heading: '', body: '' }, filing.html)}${heading(filing, `PART ${part}`)}${paragraph(`This part of the report should be read together with the others. ${BY_PROXY}`, filing.html)}`,
          };
        }),
      },
    }),
  },
  {
    name: 'Part III alone, an amendment',
    apply: (filing) => {
      const third = filing.blocks.filter(isPart(filing, 'III'));
      if (!annual(filing) || third.length < 4) return null;
      const front = filing.html
        ? '<html><body><p>FORM 10-K/A</p><p>This amendment gives the items of Part III.</p><p>PART III</p>'
        : 'FORM 10-K/A\n\nThis amendment gives the items of Part III.\n\n          PART III\n\n';
      const gone = filing.blocks.filter((block) => !third.includes(block)).flatMap(({ codes }) => codes);
      return {
        filing: {
          ...filing,
          front,
          blocks: third,
          back: filing.html
            ? '<p>SIGNATURES</p><p>Pursuant to the requirements of Section 13 of the Act</p></body></html>'
            : '\n\nSIGNATURES\n\nPursuant to the requirements of Section 13 or 15(d) of the Act\n',
        },
        absent: gone,
      };
    },
  },
  {
    name: 'Parts II and III change places',
    apply: (filing) => {
      if (!annual(filing)) return null;
      const of = (part: string) => filing.blocks.filter(isPart(filing, part));
      const [one, two, three, four] = ['I', 'II', 'III', 'IV'].map(of);
      if (!two!.length || !three!.length) return null;
      const moved = [...one!, ...three!, ...two!, ...four!];
      return {
        filing: { ...filing, blocks: moved.map((block, k) => ({ ...block, before: partHead(filing, moved, k) })) },
      };
    },
  },
  {
    name: 'two items change places',
    apply: (filing) => {
      const at = filing.blocks.findIndex(({ codes }) => /^(?:2|I-2)$/.test(codes[0]!));
      if (at < 0 || at + 1 >= filing.blocks.length) return null;
      const moved = filing.blocks.slice();
      [moved[at], moved[at + 1]] = [moved[at + 1]!, moved[at]!];
      return {
        filing: { ...filing, blocks: moved.map((block, k) => ({ ...block, before: partHead(filing, moved, k) })) },
      };
    },
  },
  {
    name: 'risk factors last',
    apply: (filing) => {
      const risk = filing.blocks.find(({ codes }) => codes[0] === '1A');
      if (!risk) return null;
      const at = filing.blocks.findIndex(({ codes }) => codes[0] === '9A' || codes[0] === '9');
      const moved = filing.blocks.filter((block) => block !== risk);
      moved.splice(at, 0, risk);
      return {
        filing: { ...filing, blocks: moved.map((block, k) => ({ ...block, before: partHead(filing, moved, k) })) },
      };
    },
  },
  {
    name: 'paragraphs that name items',
    apply: (filing) => {
      let k = 0;
      const blocks = filing.blocks.map((block) => {
        const places = placesBetweenParagraphs(block.body, filing.html, filing.html ? 12_000 : 4000).filter(
          (place) => place < block.body.length,
        );
        let body = block.body;
        for (const place of places.toReversed())
          body = body.slice(0, place) + added(paragraph(DECOYS[k++ % DECOYS.length]!, filing.html)) + body.slice(place);
        return { ...block, body };
      });
      return { filing: { ...filing, blocks } };
    },
  },
  {
    name: 'documents by reference on the cover',
    apply: (filing) => {
      const rows = [
        ['Annual report to shareholders', 'Part II, Items 5, 6, 7 and 8'],
        ['Proxy statement', 'Part III, Items 10, 11, 12, 13 and 14'],
        ['Items 1, 2 and 3', 'Registration statement'],
      ];
      const table = filing.html
        ? `<p>DOCUMENTS INCORPORATED BY REFERENCE</p><table>${rows.map(([a, b]) => `<tr><td>${a}</td><td>${b}</td></tr>`).join('')}</table>`
        : `\nDOCUMENTS INCORPORATED BY REFERENCE\n\n${rows.map(([a, b]) => `${b}\n     ${a}\n`).join('')}\n`;
      const body = /<body[^>]*>/i.exec(filing.front);
      const at = body ? body.index + body[0].length : 0;
      return { filing: { ...filing, front: filing.front.slice(0, at) + table + filing.front.slice(at) } };
    },
  },
  {
    name: 'without PART headings',
    apply: (filing) => ({
      filing: {
        ...filing,
        blocks: filing.blocks.map((block) => ({
          ...block,
          before: tagsAll({ ...block, heading: '', body: '' }, filing.html),
        })),
      },
    }),
  },
];

const IN_WORDS = { I: 'ONE', II: 'TWO', III: 'THREE', IV: 'FOUR' };
const SIGNED =
  'Pursuant to the requirements of Section 13 or 15(d) of the Securities Exchange Act of 1934, the registrant has duly caused this report to be signed on its behalf by the undersigned.';

export const STRUCTURES_LATER: readonly StructureVariant[] = [
  {
    name: 'PART headings in words',
    apply: (filing) => ({ filing: withPartHeads(filing, (part) => heading(filing, `PART ${IN_WORDS[part]}`)) }),
  },
  {
    name: 'signatures before the exhibits',
    apply: (filing) => {
      const last = filing.blocks.findIndex(({ codes }) => codes.includes('15'));
      if (last < 1) return null;
      const before =
        heading(filing, 'SIGNATURES') + paragraph(SIGNED, filing.html).repeat(3) + heading(filing, 'PART IV');
      const tags = tagsAll({ ...filing.blocks[last]!, heading: '', body: '' }, filing.html);
      return {
        filing: { ...filing, blocks: filing.blocks.with(last, { ...filing.blocks[last]!, before: tags + before }) },
      };
    },
  },
  ...['Items 10 through 13', 'Item 10-13', 'ITEMS 10, 11, 12 & 13.', 'Items Ten to Thirteen'].map(
    (words): StructureVariant => ({
      name: `combined: ${words}`,
      apply: (filing) => {
        const third = filing.blocks.filter(({ codes, number }) => /^1[0-3]$/.test(codes[0]!) && number !== null);
        const at = filing.blocks.indexOf(third[0]!);
        if (third.length !== 4 || filing.blocks[at + 3] !== third[3]) return null;
        const body = paragraph(BY_PROXY, filing.html) + third.map((block) => tagsAll(block, filing.html)).join('');
        const codes = third.flatMap((block) => block.codes);
        const one = { ...third[0]!, codes, heading: heading(filing, words), body, number: null, title: '' };
        return { filing: { ...filing, blocks: filing.blocks.toSpliced(at, 4, one) } };
      },
    }),
  ),
];

function withPartHeads(filing: FilingBlocks, head: (part: 'I' | 'II' | 'III' | 'IV') => string): FilingBlocks {
  const blocks = filing.blocks.map((block, k) => {
    const part = partOfBlock(filing, block);
    if (k > 0 && partOfBlock(filing, filing.blocks[k - 1]!) === part) return block;
    return { ...block, before: tagsAll({ ...block, heading: '', body: '' }, filing.html) + head(part) };
  });
  return { ...filing, blocks };
}

/** All tags of a block that something outside of it closes or opens. */
function tagsAll(block: Block, html: boolean): string {
  if (!html) return '\n';
  const { opening, closing } = tagsOf(block.before + block.heading + block.body, html);
  return closing + opening;
}

function partHead(filing: FilingBlocks, blocks: readonly Block[], k: number): string {
  const part = partOfBlock(filing, blocks[k]!);
  return k > 0 && partOfBlock(filing, blocks[k - 1]!) === part ? '' : heading(filing, `PART ${part}`);
}
