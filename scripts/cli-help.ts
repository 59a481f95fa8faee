// The help texts in docs/cli.md. `npm run help` writes them from the program, and cli/help.test.ts fails if
// they are not current.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { argv, execPath } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const page = fileURLToPath(new URL('../docs/cli.md', import.meta.url))
const program = fileURLToPath(new URL('../bin/vcluster-plugin.js', import.meta.url))
const printHelp = fileURLToPath(new URL('print-help.mjs', import.meta.url))
const loader = new URL('load-typescript.mjs', import.meta.url).href
const block = /^```text (vcluster-plugin .*--help)\n[\s\S]*?^```$/gm

/** The output of the program on a terminal of 110 columns. */
export function printed(args: readonly string[]): Promise<string> {
  return outputOf([program, ...args])
}

/** The outputs of several calls, by one process. */
async function printedAll(calls: readonly string[][]): Promise<string[]> {
  return JSON.parse(await outputOf([`--import=${loader}`, printHelp, JSON.stringify(calls)]))
}

function outputOf(args: readonly string[]): Promise<string> {
  const env = { ...process.env, COLUMNS: '110' }
  return new Promise((resolve, reject) => {
    execFile(execPath, args, { env }, (error, stdout) => (error ? reject(error) : resolve(stdout)))
  })
}

/** The help of a command without the two options that every command has. */
function withoutCommonOptions(help: string): string {
  return help.replace(/^ +-h, --help .*\n +--version .*\n/m, '').replace(/^Options:\n\n/m, '')
}

/** The present page, and the expected one. */
export async function helpPage(): Promise<{ is: string; shouldBe: string; commands: string[] }> {
  const is = await readFile(page, 'utf8')
  const commands = [...is.matchAll(block)].map(([, command = '']) => command)
  const texts = await printedAll(commands.map((command) => command.split(' ').slice(1)))
  const [all = '', ...ofCommands] = texts.map((text) => text.trim())
  const shown = [all, ...ofCommands.map(withoutCommonOptions)]
  let at = 0
  const shouldBe = is.replaceAll(block, (_, command) => `\`\`\`text ${command}\n${shown[at++]}\n\`\`\``)
  return { is, shouldBe, commands }
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) await writeFile(page, (await helpPage()).shouldBe)
