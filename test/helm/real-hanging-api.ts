/** Releases next to an aggregated API whose backend does not answer. Parts of real-faults.test.ts. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { issueCertificate } from '../../sdk/engine/certificate/serving-certificate.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { services } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { until } from '../until.js'
import { apiService, apiServices, at, hanging, hangingGroup, plain } from './real-api-services.js'
import type { RealControlPlane } from './real-control-plane.js'

/** A server of an API that says which kinds it has, and never answers any other request. */
async function startHangingApi(
  t: Test,
  group: string,
): Promise<{ readonly port: number; readonly hang: () => void }> {
  let isSilent = false
  const pair = issueCertificate(
    { dnsNames: ['localhost'], addresses: ['127.0.0.1'] },
    { now: new Date(), lifeMs: 3_600_000 },
  )
  const resource = { name: 'hangs', kind: 'Hang', namespaced: true, verbs: ['get', 'list', 'patch'] }
  const kinds = { kind: 'APIResourceList', groupVersion: `${group}/v1beta1`, resources: [resource] }
  const server = createServer({ cert: pair.certificate, key: pair.key }, ({ url = '' }, response) => {
    if (isSilent || url.split('?')[0] !== `/apis/${group}/v1beta1`) return
    response.setHeader('content-type', 'application/json').end(JSON.stringify(kinds))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const hang = () => {
    isSilent = true
  }
  return { port: (server.address() as AddressInfo).port, hang }
}

/** Adds an API with a server, and waits until the API server finds it available. */
async function addApi(client: Client, { group, name, port }: { group: string; name: string; port: number }) {
  await client.create(services, {
    metadata: at(name),
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
  })
  const added = apiService(group) as KubeObject & { spec: object }
  await client.create(apiServices, {
    ...added,
    spec: { ...added.spec, service: { ...at(name), port } },
  } as KubeObject)
  await until(async () => (await answerTo(client, group)) === true)
}

/** A release with an object of an API that hangs, and releases next to it. */
export async function survivesHangingApi(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const { port } = await startHangingApi(t, hangingGroup)
  await addApi(client, { group: hangingGroup, name: 'hanging', port })
  // More than there are workers.
  const names = ['one', 'two', 'three'].map((one) => `hang-${one}`)
  for (const one of names) await client.create(hanging.kind, { metadata: at(one) })
  const problems = () =>
    Promise.all(
      names.map(async (one) => (await plane.condition(hanging.kind, one, 'Irreconcilable'))?.message ?? ''),
    )
  const said =
    /^the API hanging\.example\.org\/v1beta1 does not answer, .* APIService v1beta1\.hanging\.example\.org/
  await until(async () => (await problems()).every((message) => said.test(message)))
  await client.create(plain.kind, { metadata: at('next-to-it'), spec: { text: 'one' } })
  await plane.reach('1 deployed', at('next-to-it'))
  await client.delete(apiServices, { namespace: '', name: `v1beta1.${hangingGroup}` })
  for (const one of names) await client.delete(hanging.kind, at(one))
  for (const one of names)
    await until(async () => (await plane.get(hanging.kind, 'default', one)) === undefined)
}

/**
 * A release next to an API whose server answers nothing any more, not even which kinds it has. One question of a run
 * for the kinds of a group takes at most ten seconds.
 */
export async function survivesSilentApi(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const group = 'silent.example.org'
  const { port, hang } = await startHangingApi(t, group)
  await addApi(client, { group, name: 'silent', port })
  hang()
  const key = at('next-to-silent')
  const startedMs = performance.now()
  await client.create(plain.kind, { metadata: key, spec: { text: 'one' } })
  await plane.reach('1 deployed', key)
  await client.patch(plain.kind, key, { type: 'merge', body: { spec: { text: 'two' } } })
  await plane.reach('2 deployed', key)
  t.comment(`two revisions took ${Math.round(performance.now() - startedMs)} ms`)
  await client.delete(plain.kind, key)
  await until(async () => (await plane.get(plain.kind, 'default', key.name)) === undefined)
  await client.delete(apiServices, { namespace: '', name: `v1beta1.${group}` })
}

/** Whether the API server lists a kind of the group. */
const answerTo = (client: Client, group: string): Promise<boolean> =>
  client
    .get(apiServices, { namespace: '', name: `v1beta1.${group}` })
    .then(
      ({ status }: KubeObject & { status?: { conditions?: readonly { type: string; status: string }[] } }) =>
        (status?.conditions ?? []).some((one) => one.type === 'Available' && one.status === 'True'),
    )
