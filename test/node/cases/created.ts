// An operator as `create` writes it, in a Pod: its image by its own Dockerfile, the commands of its README, and those
// of the page that upgrades, rolls back and moves an operator.
import { join } from 'node:path'
import type { Test } from 'tap'
import { run } from '../../run-program.js'
import { until } from '../../until.js'
import { type BlockName, commandsOf, runDocumented } from '../../vcluster/documented.js'
import { isNotFound } from '../api-reads.js'
import { createdProject } from '../created-project.js'
import { buildImage, type RealNode } from '../real-node.js'
import { sizesOf } from '../sizes-of.js'
import { loadStandIns } from '../stand-in.js'
import type { PodCase } from './pod-case.js'

const name = 'my-operator'
const imageOf = (tag: string) => `registry.example/${name}:${tag}`
const inNamespace = (namespace: string) => ['-n', namespace, `deployment/${name}`]

export const created: PodCase = {
  title: 'a created operator: its Dockerfile, its manifest and its sample',
  async run(t, node) {
    const { image, folder, manifest } = await createdProject(t, name, ['--kind', 'operator'])
    await loadStandIns(node, { 'nginxinc/nginx-unprivileged:1.29-alpine': 8080 })
    await node.load(image)
    const beganMs = performance.now()
    await node.run('kubectl', ['apply', '--server-side', '-f', '-'], await manifest())
    const at = inNamespace(`${name}-system`)
    await node.kubectl('rollout', 'status', '--timeout=300s', ...at)
    t.comment(
      `a created operator: ready ${Math.round((performance.now() - beganMs) / 1000)} s after kubectl apply`,
    )
    await node.kubectl('apply', '-f', join(folder, 'samples.yaml'))
    await node.kubectl('wait', 'website/sample', '--for=condition=Available', '--timeout=300s')
    t.equal((await node.get('website', 'sample')).status.ready, 2)
    t.comment(`a created operator ${await sizesOf(node, ...at)}`)

    await t.test('it is upgraded, rolled back and moved by the commands of the page', (t) =>
      moves(t, node, folder),
    )
    const commands = (await manifest('-n', 'platform', '--uninstall')).split('\n')
    for (const command of commands.filter((line) => line.startsWith('kubectl ')))
      await node.run('sh', ['-c', command])
    await until(() => node.get('deployment', 'sample').then(() => false, isNotFound))
  },
}

async function moves(t: Test, node: RealNode, folder: string): Promise<void> {
  for (const tag of ['v1', 'v2']) await node.load(await buildImage(imageOf(tag), folder))
  const { uid } = (await node.get('deployment', 'sample')).metadata
  const documented = async (block: BlockName) => {
    for (const command of commandsOf(block))
      await runDocumented(node, withDifferences(command), { folder, isInstalled: true })
  }
  const imageIn = async (namespace: string): Promise<string> =>
    (await node.get(...inNamespace(namespace))).spec.template.spec.containers[0].image

  await firstRelease(node, folder)
  t.equal(await imageIn(`${name}-system`), imageOf('v1'))
  await documented('upgrade')
  t.equal(await imageIn(`${name}-system`), imageOf('v2'))
  await documented('rollBack')
  await node.kubectl('rollout', 'status', '--timeout=300s', ...inNamespace(`${name}-system`))
  t.equal(await imageIn(`${name}-system`), imageOf('v1'))

  await documented('move')
  await node.kubectl('rollout', 'status', '--timeout=300s', ...inNamespace('platform'))
  await t.rejects(node.get('namespace', `${name}-system`), /NotFound/)
  await node.kubectl('patch', 'website', 'sample', '--type=merge', '-p', '{"spec":{"replicas":1}}')
  await until(async () => (await node.get('website', 'sample')).status.ready === 1)
  t.equal((await node.get('deployment', 'sample')).metadata.uid, uid, 'its objects are the same')
}

/** The first release, in version control with its tag. */
async function firstRelease(node: RealNode, folder: string): Promise<void> {
  for (const command of commandsOf('upgrade').slice(1))
    await runDocumented(node, withDifferences(command.replace(':v2', ':v1')), { folder, isInstalled: true })
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@my.domain']
  await run(folder, ['git', 'init', '--quiet'])
  await run(folder, ['git', 'add', 'operator.yaml'])
  await run(folder, ['git', ...author, 'commit', '--quiet', '-m', 'v1'])
  await run(folder, ['git', 'tag', 'v1'])
}

/** `kubectl diff` ends with 1 if it shows differences. */
const withDifferences = (command: string) =>
  command.startsWith('kubectl diff ') ? `${command} || [ $? = 1 ]` : command
