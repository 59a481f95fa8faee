import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { systemClock } from '../../sdk/engine/time/clock.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { waitForKind } from './wait-for-kind.js'

let pauses = 0
/** Time passes at once. */
const clock = {
  ...systemClock,
  schedule: (_delayMs: number, callback: () => void) => {
    pauses++
    const timer = setImmediate(callback)
    return () => clearImmediate(timer)
  },
}

void t.test('a kind that is not served is an error that suggests the nearest', async (t) => {
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  const cluster = { name: 'main', file: 'samples.yaml', transport: inProcessTransport(server), clock }
  const wait = (apiVersion: string, kind: string) =>
    waitForKind({ apiVersion, kind, metadata: { name: 'web' } }, cluster)
  t.match(await wait('apps/v1', 'Deployment'), { plural: 'deployments', group: 'apps' })
  const refused = (apiVersion: string, kind: string, end: string) =>
    t.rejects(wait(apiVersion, kind), {
      code: 'INVALID_MANIFEST',
      message: `cannot apply samples.yaml: the main cluster does not serve ${apiVersion} ${kind}, the kind of web${end}`,
    })
  await refused('apps/v1', 'Deploymnt', '. Did you mean Deployment?')
  await refused('apps/v1beta1', 'Deployment', '; it serves v1')
  t.equal(pauses, 0, 'no program installs kinds of Kubernetes itself')
  await refused('extensions/v1beta1', 'Deployment', '; it serves Deployment in apps/v1')
  await refused('apps/v1', 'Website', '')
  t.equal(pauses, 41)
  await refused('example.com/v1', 'Deploymnt', '')
  t.equal(pauses, 82, 'a program may install other kinds')
})
