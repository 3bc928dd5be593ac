/** A small real JPEG: grey squares of eight pixels. Baseline, one component, only DC coefficients, so that a page of code writes it (ITU T.81). */

/** Huffman codes of DC size categories: the table of T.81, annex K.3 (luminance). */
const DC_COUNTS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const DC_SYMBOLS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const DC_CODES: readonly (readonly [number, number])[] = [
  [0b00, 2],
  [0b010, 3],
  [0b011, 3],
  [0b100, 3],
  [0b101, 3],
  [0b110, 3],
  [0b1110, 4],
  [0b11110, 5],
  [0b111110, 6],
  [0b1111110, 7],
  [0b11111110, 8],
  [0b111111110, 9],
];

/** @param levels grey of each square, 0 to 255, row by row; @param columns squares in a row */
export function greySquaresJpeg(levels: readonly number[], columns: number): Buffer {
  const rows = Math.ceil(levels.length / columns);
  const segment = (marker: number, body: readonly number[]) => [
    0xff,
    marker,
    (body.length + 2) >> 8,
    (body.length + 2) & 255,
    ...body,
  ];
  const width = columns * 8;
  const height = rows * 8;
  const head = [
    0xff,
    0xd8,
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    // All quantizers are 8, so that a DC of n stands for a grey n above the middle.
    ...segment(0xdb, [0, ...new Array<number>(64).fill(8)]),
    ...segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    ...segment(0xc4, [0x00, ...DC_COUNTS, ...DC_SYMBOLS]),
    // One AC code: end of block, one bit.
    ...segment(0xc4, [0x10, 1, ...new Array<number>(15).fill(0), 0x00]),
    ...segment(0xda, [1, 1, 0x00, 0, 63, 0]),
  ];
  const scan: number[] = [];
  let held = 0;
  let bits = 0;
  const put = (code: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) {
      held = (held << 1) | ((code >> i) & 1);
      if (++bits === 8) {
        scan.push(held);
        if (held === 0xff) scan.push(0);
        held = 0;
        bits = 0;
      }
    }
  };
  let before = 0;
  for (let i = 0; i < rows * columns; i++) {
    const dc = Math.round((levels[i] ?? 255) - 128);
    const difference = dc - before;
    before = dc;
    const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
    put(...DC_CODES[size]!);
    if (size > 0) put(difference > 0 ? difference : difference + (1 << size) - 1, size);
    put(0, 1);
  }
  while (bits !== 0) put(1, 1);
  return Buffer.from([...head, ...scan, 0xff, 0xd9]);
}
