import type { Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { programImage } from './program-image.js'
import { type RealNode, runProgram } from './real-node.js'
import { sizesOf } from './sizes-of.js'

/** Options of {@link deployExample}. */
export interface DeployExampleOptions {
  /** The image; default: built from the example. */
  image?: string
  /** Further arguments of `manifest`. */
  args?: readonly string[]
}

/** An example that runs in Pods. */
export interface DeployedExample {
  /** The sizes of its largest Pod, which is the leader; see {@link sizesOf}. */
  sizes(): Promise<string>
  /** Removes it by the commands that `manifest --uninstall` prints. */
  remove(): Promise<void>
}

/** Builds the image of an example, applies its manifest and waits for its Pods. */
export async function deployExample(
  t: Test,
  node: RealNode,
  example: string,
  { image: given, args = [] }: DeployExampleOptions = {},
): Promise<DeployedExample> {
  const image = given ?? (await programImage(`${example}:v1`, `examples/${example}/main.ts`))
  await node.load(image)
  const beganMs = performance.now()
  const text = await manifest(example, { args: ['--image', image, ...args] })
  await node.run('kubectl', ['apply', '--server-side', '-f', '-'], text)
  const { metadata } = parseAllDocuments(text)
    .map((one) => one.toJS())
    .find(({ kind }) => kind === 'Deployment')
  const at = ['-n', metadata.namespace, `deployment/${metadata.name}`]
  await node.kubectl('rollout', 'status', '--timeout=300s', ...at)
  t.comment(`${example}: ready ${Math.round((performance.now() - beganMs) / 1000)} s after kubectl apply`)
  return {
    sizes: () => largest(node, metadata.namespace, metadata.name),
    async remove() {
      const lines = (await manifest(example, { args: ['--uninstall'] })).split('\n')
      for (const line of lines.filter((one) => one.startsWith('kubectl '))) await node.run('sh', ['-c', line])
    },
  }
}

/** The output of `vcluster-plugin manifest` for an example. `input` is for its standard input. */
export const manifest = (
  example: string,
  { args, input }: { args: readonly string[]; input?: string },
): Promise<string> =>
  runProgram('node', ['bin/vcluster-plugin.js', 'manifest', `examples/${example}`, ...args], { input })

/** The arguments of kubectl that name the samples of an example. */
export const sampleOf = (example: string): string[] => ['-f', `examples/${example}/samples.yaml`]

/** The sizes of the largest Pod of a program with this label. */
async function largest(node: RealNode, namespace: string, name: string): Promise<string> {
  const pods = await node.kubectl(
    'get',
    'pods',
    '-n',
    namespace,
    '-l',
    `app.kubernetes.io/name=${name}`,
    '-o',
    'name',
  )
  const sizes = pods
    .trim()
    .split('\n')
    .map((pod) => sizesOf(node, '-n', namespace, pod))
  return (await Promise.all(sizes)).sort(byNumber.compare).at(-1) ?? ''
}

const byNumber = new Intl.Collator('en', { numeric: true })
