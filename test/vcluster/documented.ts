/** The commands of pages of the documentation, as the cases here run them. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { helmProgram } from '../node/helm-program.js'
import { programImage } from '../node/program-image.js'
import { buildImage, type RealNode } from '../node/real-node.js'

/** The pages whose commands are run. `section` begins at its heading and ends at the next one of any level. */
const blocks = {
  standalone: { page: 'docs/install.md', section: '## Standalone', index: 0 },
  standalonePod: { page: 'docs/install.md', section: '## Standalone', index: 1 },
  sidecar: { page: 'docs/install.md', section: '## As a sidecar', index: 0 },
  values: { page: 'docs/install.md', section: '## As a sidecar', index: 1 },
  inSyncer: { page: 'docs/install.md', section: "## Inside vcluster's container", index: 0 },
  devspace: { page: 'docs/install.md', section: '## Development on a cluster', index: 0 },
  ownSidecar: { page: 'docs/guides/to-your-cluster.md', section: '## A plugin of a vcluster', index: 0 },
  ownInSyncer: {
    page: 'docs/guides/to-your-cluster.md',
    section: "### Inside vcluster's container",
    index: 0,
  },
  upgrade: { page: 'docs/guides/to-your-cluster.md', section: '## Upgrade and roll back', index: 0 },
  rollBack: { page: 'docs/guides/to-your-cluster.md', section: '## Upgrade and roll back', index: 1 },
  move: {
    page: 'docs/guides/to-your-cluster.md',
    section: '## Move an operator to another namespace',
    index: 0,
  },
} as const

/** The name of a block of commands. */
export type BlockName = keyof typeof blocks

/** A block of commands of a page. */
export interface Block {
  page: string
  section: string
  index: number
}

/** All blocks that cases run. */
export const documentedBlocks: readonly Block[] = Object.values(blocks)

/** The commands of a block, each on one line and without comments. */
export function commandsOf(name: BlockName): string[] {
  const { page, section, index } = blocks[name]
  const text = blocksOf(page, section)[index]
  if (text === undefined) throw new Error(`${page} has no block ${index} of commands in "${section}"`)
  return text
    .replace(/\\\n\s*/g, ' ')
    .replace(/\s+# .*$/gm, '')
    .split('\n')
    .filter((line) => line !== '')
}

/** Whether a command installs or upgrades a release. */
export const isRelease = (command: string): boolean => command.startsWith('helm ')
/** The opposite of {@link isRelease}. */
export const isNoRelease = (command: string): boolean => !isRelease(command)

/** The sections of a page by their heading. Comments of commands are not taken for headings. */
export function sectionsOf(page: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>()
  let [heading, isBlock] = ['', false]
  for (const line of readFileSync(page, 'utf8').split('\n')) {
    if (line.startsWith('```')) isBlock = !isBlock
    if (!isBlock && /^#+ /.test(line)) heading = line
    sections.set(heading, `${sections.get(heading) ?? ''}${line}\n`)
  }
  return sections
}

/** The blocks of a language of a section. Default: commands. */
export const blocksOf = (page: string, section: string, language = 'sh'): string[] => {
  const text = sectionsOf(page).get(section) ?? ''
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, block = '']) => block,
  )
}

/** Options of {@link runDocumented}. */
export interface RunOptions {
  /** The folder of the reader's project. Default: that of this one. */
  folder?: string
  /** The folder of files that commands write or read. Default: `folder`. */
  files?: string
  /** Whether the folder has the command installed. Default: the one here is used. */
  isInstalled?: boolean
  /** More values files, before those of the command. */
  values?: readonly string[]
}

/**
 * Runs a command of a page. Replaced are the registry (a built image is loaded in place of the push), the
 * chart in a folder, and the values that a vcluster of this node needs.
 */
export async function runDocumented(
  node: RealNode,
  command: string,
  options: RunOptions = {},
): Promise<void> {
  const { folder = '.', files = folder, isInstalled = false, values = [] } = options
  if (command.startsWith('docker push ')) return
  if (command.startsWith('docker build ')) return dockerBuild(node, command, folder)
  const flags = ['test/vcluster/values.yaml', ...values].map((file) => `--values ${resolve(file)}`)
  const text = command
    .replace('npx vcluster-plugin', isInstalled ? '$&' : `node ${resolve('bin/vcluster-plugin.js')}`)
    .replace(/^helm /, `${helmProgram} `)
    .replace('vcluster --repo https://charts.loft.sh', `${process.env.VCLUSTER_CHART} ${flags.join(' ')}`)
    .replace(/(?<=[ =])([\w.-]+\.(yaml|kubeconfig))\b/g, (file) => resolve(files, file))
  // The runner of the tests sets NODE_OPTIONS, which are not for programs of the reader.
  await node.run('env', ['-u', 'NODE_OPTIONS', '-C', resolve(folder), 'sh', '-ec', text])
}

/** Builds an image and loads it. A folder without a Dockerfile is an example: it is built by that of the project. */
async function dockerBuild(node: RealNode, command: string, folder: string): Promise<void> {
  const words = command.split(' ').slice(2, -1)
  const [name = ''] = words.splice(words.indexOf('-t'), 2).slice(1)
  const target = words.includes('in-syncer') ? 'in-syncer' : 'sidecar'
  if (folder === '.') await buildImage(name, '.', ...words)
  else await programImage(name, join(folder, 'main.ts'), { target })
  await node.load(name)
}
