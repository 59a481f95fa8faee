import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { root } from './dev-run.js'
import { linkPackages } from './link-packages.js'
import { sdkTypes } from './packed-sdk.js'
import { run } from './run-program.js'

/** A tutorial of `docs`, as its reader performs it. */
export class Tutorial {
  /** Its Markdown. */
  readonly page: string
  /** The files that it shows, by path. */
  readonly files: ReadonlyMap<string, string>
  /** The commands of its shell blocks, each as one line. */
  readonly commands: readonly string[]
  /** The folder of its project, outside of this one, so that only the packages of the tutorial are found. */
  readonly folder: string

  private constructor(page: string, folder: string) {
    this.page = page
    this.folder = folder
    const shown = page.matchAll(/^`([A-Z]\w*|[\w/-]*\.[\w.]+)`[^\n]*:\n\n```\w+\n([\s\S]*?)^```$/gm)
    this.files = new Map([...shown].map(([, name = '', text = '']) => [name, text]))
    const blocks = page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)
    this.commands = [...blocks].flatMap(([, block = '']) =>
      block
        .trim()
        .replace(/ \\\n\s*/g, ' ')
        .split('\n'),
    )
  }

  /** Reads `docs/<name>.md`. Its project has the name `project`. The caller removes its {@link parent}. */
  static async read(name: string, project: string): Promise<Tutorial> {
    const page = await readFile(join(root, 'docs', `${name}.md`), 'utf8')
    return new Tutorial(page, join(await mkdtemp(join(tmpdir(), `${name}-`)), project))
  }

  /** Creates a project with these flags, whose page is its README. The caller removes its {@link parent}. */
  static async create(project: string, ...flags: string[]): Promise<Tutorial> {
    const folder = join(await mkdtemp(join(tmpdir(), `${project}-`)), project)
    await createProject(folder, flags)
    return new Tutorial(await readFile(join(folder, 'README.md'), 'utf8'), folder)
  }

  /** The folder in which the project is created. */
  get parent(): string {
    return dirname(this.folder)
  }

  /** The commands that begin with a text. */
  commandsOf(start: string): string[] {
    return this.commands.filter((line) => line.startsWith(start))
  }

  /** Runs `npx vcluster-plugin …` of the tutorial in its project, and writes its output to the file that it names. */
  async perform(line = ''): Promise<string> {
    const [text = '', file] = line.split(' > ')
    const [, , ...args] = text.split(' ')
    const output = await this.plugin(...args)
    if (file !== undefined) await writeFile(join(this.folder, file), output)
    return output
  }

  /** Runs `vcluster-plugin` in the project. */
  plugin(...args: string[]): Promise<string> {
    return run(this.folder, [process.execPath, join(root, 'bin/vcluster-plugin.js'), ...args])
  }

  /** Creates the project with the flags that its line has after `marker`. */
  async create(marker: string): Promise<void> {
    const [line = ''] = this.commands.filter((one) => one.includes(marker))
    const flags = line.split(marker).at(-1)?.trim().split(' ') ?? []
    await createProject(this.folder, flags)
  }

  /** Writes the files that it shows. */
  async writeFiles(): Promise<void> {
    for (const [name, text] of this.files) await writeFile(join(this.folder, name), text)
  }

  /** Checks the types of files in a folder of the project, and of those next to them that they import. */
  async typesOf(folder: string, files: readonly string[]): Promise<{ checked: number; problems: unknown[] }> {
    const program = ts.createProgram(
      files.map((file) => join(this.folder, folder, file)),
      {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.Node16,
        paths: await sdkTypes(),
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        types: ['node'],
      },
    )
    const isOwn = (file: string) => dirname(file) === join(this.folder, folder)
    const own = program.getSourceFiles().filter(({ fileName }) => isOwn(fileName))
    const found = own.flatMap((file) => program.getSemanticDiagnostics(file))
    return { checked: own.length, problems: found.map(({ messageText }) => messageText) }
  }
}

async function createProject(folder: string, flags: readonly string[]): Promise<void> {
  const args = ['create', folder, ...flags, '--sdk', `file:${root}`]
  await run(root, [process.execPath, join(root, 'bin/vcluster-plugin.js'), ...args])
  await linkPackages(folder)
}
