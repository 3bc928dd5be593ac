/** Notebooks, run cell by cell by a Jupyter kernel that has the Python package. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { notebookKernel } from '../lake/python-readers.ts';
import { temporaryFolder } from '../lake/temporary-folder.ts';

const RUN = `
import json, nbclient, nbformat, sys
given = json.load(sys.stdin)
if "cells" in given:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in given["cells"]])
else:
    notebook = nbformat.read(given["file"], nbformat.NO_CONVERT)
resources = {"metadata": {"path": given["folder"]}}
nbclient.NotebookClient(notebook, kernel_name="python3", timeout=240, resources=resources).execute()
cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
print(json.dumps([[output["data"] for output in cell.outputs if "data" in output] for cell in cells]))
`;

export const kernel = notebookKernel();

/** What each cell of code shows, by MIME type. @param modules folders of packages; @param folder where it runs */
export function runNotebook(
  notebook: { readonly cells: readonly string[] } | { readonly file: string },
  modules: readonly string[],
  folder = temporaryFolder(),
): Record<string, string>[][] {
  if ('missing' in kernel) throw new Error(kernel.missing);
  const answer = execFileSync(kernel.command, ['-c', RUN], {
    encoding: 'utf8',
    cwd: folder,
    input: JSON.stringify({ ...notebook, folder }),
    env: {
      ...process.env,
      PYTHONPATH: [...modules, kernel.modules].join(path.delimiter),
      JUPYTER_PATH: path.join(kernel.modules, 'share/jupyter'),
      IPYTHONDIR: temporaryFolder(),
    },
  });
  return JSON.parse(answer) as Record<string, string>[][];
}
