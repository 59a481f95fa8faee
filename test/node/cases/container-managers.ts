// Modules whose manager is a container, in Pods: it is called by its Service with its token, and works with exactly the
// permissions that its Module asks for.
import type { Test } from 'tap'
import { until } from '../../until.js'
import type { Loose, RealNode } from '../real-node.js'
import { loadImage } from '../stand-in.js'

const namespace = 'contained'
const inNamespace = ['-n', namespace]
const managers = 'releases-managers'
const image = 'docker.io/library/manager:v1'

/** Makes the namespace of the containers, as the page does before it deploys the operator. */
export async function namespaceOfManagers(node: RealNode): Promise<void> {
  await node.kubectl('create', 'namespace', managers)
  await node.kubectl('label', 'namespace', managers, 'pod-security.kubernetes.io/enforce=restricted')
}

/** A Module is installed, sleeps, wakes and is uninstalled by a container, whose Pod is deleted in between. */
export async function containerManagers(t: Test, node: RealNode): Promise<void> {
  const lines = [
    'FROM localhost/node:24-slim',
    'COPY main.mjs /',
    'USER 1000',
    'ENTRYPOINT ["node", "/main.mjs"]',
  ]
  await loadImage(node, image, { lines, folder: 'test/node/manager' })
  await node.kubectl('create', 'namespace', namespace)
  await node.apply([workspace, moduleOf('web', ['deployments']), moduleOf('powerless', [])])
  await reaches(node, 'ready')
  await until(async () => (await web(node)).status.readyReplicas === 2)
  await until(async () => (await problem(node, 'powerless')).includes('the Module asks for no permissions'))

  // The Module without permissions is tried again, so a container of it may come back at once.
  const deleted = await pods(node, 'web')
  await node.kubectl('-n', managers, 'delete', 'deployments', '--all')
  await until(async () => !(await pods(node, 'web')).some((one) => deleted.some(isSame(one))))
  await hibernate(node, true)
  await reaches(node, 'sleeped')
  t.equal((await web(node)).spec.replicas, 0, 'a container that was deleted comes back for the next call')
  await until(async () => (await pods(node, 'web')).length === 0)
  await hibernate(node, false)
  await reaches(node, 'ready')
  await until(async () => (await web(node)).status.readyReplicas === 2)

  await node.kubectl(...inNamespace, 'delete', 'modules', '--all')
  await t.rejects(node.get(...inNamespace, 'deployment', 'web'), /NotFound/)
  const kinds = 'deployments,services,secrets,serviceaccounts'
  const left = await node.kubectl('-n', managers, 'get', kinds, '-o', 'name')
  t.equal(left.trim(), 'serviceaccount/default', 'nothing of the containers is left')
  await node.kubectl('delete', 'namespace', namespace, managers, '--wait=false')
}

/** The Deployment that the container keeps. */
const web = (node: RealNode): Promise<Loose> => node.get(...inNamespace, 'deployment', 'web')

/** The status of a Module, as text. */
const problem = async (node: RealNode, name: string): Promise<string> =>
  JSON.stringify((await node.get(...inNamespace, 'module', name)).status)

/** The containers of a Module that run. */
async function pods(node: RealNode, module: string): Promise<Loose[]> {
  const { uid } = (await node.get(...inNamespace, 'module', module)).metadata
  return (await node.get('-n', managers, 'pods', '-l', `forkspacer.com/runner=${uid}`)).items
}

const isSame =
  ({ metadata: { uid } }: Loose) =>
  ({ metadata }: Loose): boolean =>
    metadata.uid === uid

const hibernate = (node: RealNode, hibernated: boolean) =>
  node.kubectl(
    ...[...inNamespace, 'patch', 'workspace', 'dev', '--type=merge', '-p'],
    JSON.stringify({ spec: { hibernated } }),
  )

const reaches = (node: RealNode, phase: string): Promise<void> =>
  until(async () => (await node.get(...inNamespace, 'module', 'web')).status?.phase === phase)

const workspace = {
  apiVersion: 'batch.forkspacer.com/v1',
  kind: 'Workspace',
  metadata: { name: 'dev', namespace },
  spec: {},
}
const moduleOf = (name: string, permissions: readonly string[]) => ({
  apiVersion: 'batch.forkspacer.com/v1',
  kind: 'Module',
  metadata: { name, namespace },
  spec: {
    workspace: { name: 'dev', namespace },
    config: { namespace, name, replicas: 2 },
    custom: { image, permissions },
  },
})
