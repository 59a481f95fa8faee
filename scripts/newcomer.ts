// Plays somebody who follows the README for the first time, with a stopwatch:  npm run newcomer [-- --write]
//
// It clones this repository into a new folder, takes the commands of the section "Write your own" from the README's
// text, and for each kind of program those that `create` prints. With --write the figures replace the table in the
// README. npm may take packages from its cache. It needs what the README names, git, and Go for the engine of Helm
// charts.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, version } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = join(root, 'README.md')
const limitMs = 10 * 60_000

/** The kinds of programs, by the value of `--kind`. */
const programs = {
  configmaps: 'a plugin of a vcluster',
  operator: 'an operator',
  cnpg: 'a CloudNativePG plugin',
  helm: 'an operator for a Helm chart',
  module: 'an operator of Modules',
}

/** The durations for one kind of program, in milliseconds. */
export interface Durations {
  program: string
  create: number
  install: number
  dev: number
  test: number
}

/** The commands of the README that pack the SDK, and that create a project. */
export function readmeCommands(text: string): { pack: string; create: string } {
  const [, pack, create] = /^## Write your own\n+(?:[^`#].*\n+)*```sh\n(.+)\n(.+)\n```$/m.exec(text) ?? []
  if (pack === undefined || !create?.includes(' create ../my-plugin'))
    throw new Error(
      'README.md: "Write your own" does not begin with a command that packs and one that creates ../my-plugin',
    )
  return { pack, create }
}

/** The commands that `create` prints after "Next:", without the notes behind them. */
export function nextCommands(printed: string): string[] {
  const [, list = ''] = /^Next:\n((?: {2}.+\n)+)/m.exec(printed) ?? []
  const lines = list.split('\n').map((line) => line.replace(/ +#.*$/, '').trim())
  return lines.filter((line) => line !== '' && !line.startsWith('cd '))
}

/** The table of the README. */
export function table(rows: readonly Durations[]): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const cells = ({ program, create, install, dev, test }: Durations) => [
    program,
    ...[create, install, dev, test, create + install + dev].map(seconds),
  ]
  const lines = [
    [
      '',
      '`create`',
      '`npm install`',
      '`npm run dev`: samples handled',
      '`npm test`',
      'from nothing to a running program',
    ],
    ['---', '---', '---', '---', '---', '---'],
    ...rows.map(cells),
  ]
  return lines
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n')
    .replaceAll(/ ?--- ?/g, '---')
}

/** The text with another table between the comments of the newcomer. */
export function withTable(text: string, made: string): string {
  const between = /(<!-- newcomer -->\n)[\s\S]*?(\n<!-- \/newcomer -->)/
  if (!between.test(text)) throw new Error('README.md has no <!-- newcomer --> comments')
  return text.replace(between, (_, before, after) => `${before}${made}${after}`)
}

/** Runs a command of a shell; resolves with its output and its duration in milliseconds. */
function timed(command: string, cwd: string): Promise<{ output: string; ms: number }> {
  const startedMs = performance.now()
  const child = spawn('sh', ['-c', command], { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const ms = performance.now() - startedMs
      console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${command}`)
      if (code === 0) resolve({ output, ms })
      else reject(new Error(`${command} exited with ${code}:\n${output}`))
    })
  })
}

async function newProgram(kind: keyof typeof programs, command: string, clone: string): Promise<Durations> {
  const folder = `my-${kind}`
  const { output, ms: create } = await timed(
    `${command.replace('../my-plugin', `../${folder}`)} --kind ${kind}`,
    clone,
  )
  const durations: number[] = []
  for (const next of nextCommands(output)) {
    const { ms } = await timed(next === 'npm run dev' ? `${next} -- --once` : next, join(clone, '..', folder))
    durations.push(ms)
  }
  const [install, dev, test] = durations
  if (install === undefined || dev === undefined || test === undefined)
    throw new Error(`create printed no commands for npm install, npm run dev and npm test:\n${output}`)
  return { program: programs[kind], create, install, dev, test }
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'newcomer-'))
  try {
    await timed(`git clone --quiet --depth 1 ${pathToFileURL(root).href} sdk`, folder)
    const clone = join(folder, 'sdk')
    const { pack, create } = readmeCommands(await readFile(readme, 'utf8'))
    await timed(pack, clone)
    const rows: Durations[] = []
    for (const kind of Object.keys(programs))
      rows.push(await newProgram(kind as keyof typeof programs, create, clone))
    console.log(`\nNode ${version}, ${availableParallelism()} processors\n\n${table(rows)}`)
    if (argv.includes('--write'))
      await writeFile(readme, withTable(await readFile(readme, 'utf8'), table(rows)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) await main()
