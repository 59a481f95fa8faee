import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import type { Client } from '../../engine/client/client.js'
import { createClient } from '../../engine/client/create-client.js'
import { configMaps } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import type { Resource } from '../../engine/kube/resource.js'
import { functionChart } from '../chart/function-chart.js'
import { renderFunctionChart } from '../render/code/render-function-chart.js'
import type { ChartRenderer } from '../render/renderer.js'
import { ownedRelease } from './owned-release.fixture.js'
import type { OwnedRelease } from './owned-release.js'

const chart = functionChart(
  { name: 'greeting', version: '1.0.0', values: { text: 'hi' } },
  ({ text }, { name }) => [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: String(text) } },
  ],
)
const renderer: ChartRenderer = {
  name: 'code',
  render: (request) => renderFunctionChart(chart, request),
  close: async () => {},
}
const key = { namespace: 'default', name: 'web' }
const installation = (text: string) => ({ chart, values: { text }, renderer })

/** A cluster, and the release `web` in it as a new process sees it that works for an owner. */
async function cluster() {
  const transport = inProcessTransport(await createApiServer())
  const owner = { cluster: 'main', resource: configMaps as Resource, key: { ...key, name: 'owner' } }
  const releaseOf = (uid: string) => ownedRelease(transport, { owner: { ...owner, uid }, release: key })
  return { client: createClient({ transport }), releaseOf }
}

const textOf = async (client: Client) => {
  try {
    return (await client.get(configMaps, key)).data?.text
  } catch (error) {
    if (!isNotFound(error)) throw error
    return 'absent'
  }
}
const historyOf = async (release: OwnedRelease) =>
  (await release.revisions()).map(({ release: { version, info } }) => `${version} ${info.status}`)

void t.test('a release is installed, upgraded and uninstalled by calls of different processes', async (t) => {
  const { client, releaseOf } = await cluster()
  await releaseOf('a').install(installation('one'))
  t.equal(await textOf(client), 'one')
  await releaseOf('a').install(installation('one'))
  t.same(await historyOf(releaseOf('a')), ['1 deployed'], 'a call without a change makes no revision')
  await releaseOf('a').install(installation('two'))
  t.equal(await textOf(client), 'two')
  t.same(await historyOf(releaseOf('a')), ['1 superseded', '2 deployed'])
  t.same(
    (await releaseOf('a').objects()).map(({ object }) => object.metadata.name),
    ['web'],
  )
  await releaseOf('a').uninstall()
  t.equal(await textOf(client), 'absent')
  t.same(await historyOf(releaseOf('a')), [])
})

void t.test('a release of another owner is neither changed nor uninstalled', async (t) => {
  const { client, releaseOf } = await cluster()
  await releaseOf('a').install(installation('one'))
  t.same([await releaseOf('a').isOwn(), await releaseOf('b').isOwn()], [true, false])
  await t.rejects(releaseOf('b').install(installation('two')), { message: /web/ })
  await releaseOf('b')
    .uninstall()
    .catch(() => {})
  t.equal(await textOf(client), 'one')
  t.same(await historyOf(releaseOf('a')), ['1 deployed'])
})
