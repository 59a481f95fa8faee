import { execFile } from 'node:child_process'
import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { pods } from '../../sdk/engine/kube/builtin.js'
import { NetworkError } from '../../sdk/engine/kube/network-error.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { checkCluster } from './check-cluster.js'
import { clusterFindings, vclusterFinding } from './cluster-findings.js'
import { nodeFinding } from './machine-findings.js'

void t.test('a Node that is not supported is reported', (t) => {
  t.match(nodeFinding('20.19.0'), { state: 'ok' })
  t.match(nodeFinding('24.0.0'), { state: 'ok' })
  t.match(nodeFinding('22.12.0'), { state: 'ok' })
  for (const version of ['20.18.3', '21.7.3', '22.11.0'])
    t.match(nodeFinding(version), { state: 'failed', message: /install 20\.19, 22\.12, 24 or newer/ })
  t.end()
})

/** An API server that answers with this time. */
const answering = (status: number, date: string): Transport => ({
  request: async () => ({ status, headers: { date }, body: Buffer.from('{"gitVersion":"v1.36.0"}') }),
  stream: () => Promise.reject(new Error('unexpected stream')),
  close: async () => {},
})

void t.test(
  'a difference between clocks is reported if it is larger than the rounding to seconds',
  async (t) => {
    const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
    const at = (laterMs: number, status = 200) =>
      clusterFindings({
        check: 'host cluster',
        transport: answering(status, date),
        source: 'kubeconfig x',
        nowMs: () => Date.parse(date) + laterMs,
      })
    t.match(await at(900), [
      { state: 'ok', message: /v1\.36\.0/ },
      { state: 'ok', message: 'within 0.0 s of the clock here' },
    ])
    t.match(await at(-40_000), [{}, { state: 'warning', message: /^40 s from the clock here/ }])
    t.match(await at(0, 401), [{ state: 'failed', message: /are wrong or have expired \(401\); renew them/ }])
  },
)

void t.test('a cluster that does not answer is reported with the reason', async (t) => {
  const transport = { ...answering(200, ''), request: () => Promise.reject(new Error('ECONNREFUSED')) }
  const found = await clusterFindings({
    check: 'host cluster',
    transport,
    source: 'kubeconfig x',
    nowMs: () => 0,
  })
  t.match(found, [{ state: 'failed', message: /kubeconfig x does not answer: ECONNREFUSED$/ }])
})

void t.test('a cluster that stops answering during the checks is reported', async (t) => {
  const server = await createApiServer({ name: 'host' })
  t.teardown(() => server.close())
  await server.listen()
  const dir = t.testdir({ 'host.kubeconfig': await server.kubeconfig() })
  const found = await checkCluster('cluster', loadKubeconfig({ file: `${dir}/host.kubeconfig` }), {
    isNamed: true,
    moreChecks: () => Promise.reject(new NetworkError('GET /api/v1/pods: the connection was reset')),
  })
  t.match(found, [
    { check: 'cluster', state: 'ok' },
    { check: 'cluster clock', state: 'ok' },
    {
      check: 'cluster',
      state: 'failed',
      message:
        'GET /api/v1/pods: the connection was reset; the other checks were not made: run doctor again when the cluster answers',
    },
  ])
})

void t.test('the version of the vcluster in a namespace comes from its image', async (t) => {
  const server = await createApiServer({ name: 'host' })
  t.teardown(() => server.close())
  const transport = inProcessTransport(server)
  t.match(await vclusterFinding(transport, 'default'), { state: 'skipped', message: /with -n$/ })
  const client = createClient({ transport })
  const pod = (name: string, image: string, more: object = {}) =>
    client.create(pods, {
      metadata: { namespace: 'default', name, labels: { app: 'vcluster', ...more } },
      spec: { containers: [{ name: 'syncer', image }] },
    })
  await pod('by-tenant', 'ghcr.io/loft-sh/vcluster-pro:0.5.0', { 'vcluster.loft.sh/managed-by': 'vc' })
  t.match(await vclusterFinding(transport, 'default'), { state: 'skipped' }, 'a copied Pod does not count')
  await pod('a', 'registry.example/my/own:latest')
  t.match(await vclusterFinding(transport, 'default'), { state: 'warning', message: /my\/own:latest/ })
  await pod('b', 'ghcr.io/loft-sh/vcluster-pro:0.19.4')
  t.match(await vclusterFinding(transport, 'default'), {
    state: 'ok',
    message: /^0\.19\.4: supports sidecar and in-syncer plugins, chart values before 0\.20/,
  })
  await client.delete(pods, { namespace: 'default', name: 'b' }, { gracePeriodSeconds: 0 })
  for (const version of ['1.0.0', '0.5.0']) {
    await pod('c', `ghcr.io/loft-sh/vcluster-pro:${version}`)
    const message = `${version} is not a release that plugins support: use 0.9.1 or a later 0.x`
    t.match(await vclusterFinding(transport, 'default'), { state: 'warning', message })
    await client.delete(pods, { namespace: 'default', name: 'c' }, { gracePeriodSeconds: 0 })
  }
})

void t.test(
  'the command checks a cluster by sockets, and fails if a given one does not answer',
  async (t) => {
    const server = await createApiServer({ name: 'host' })
    t.teardown(() => server.close())
    await server.listen()
    const dir = t.testdir({ 'host.kubeconfig': await server.kubeconfig() })
    const doctor = (...args: string[]) =>
      new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        const command = ['bin/vcluster-plugin.js', 'doctor', 'examples/hooks', '-o', 'json', ...args]
        const child = execFile(process.execPath, command, (_, stdout, stderr) =>
          resolve({ code: child.exitCode ?? 1, stdout, stderr }),
        )
      })
    const [well, ill] = await Promise.all([
      doctor('--kubeconfig', `${dir}/host.kubeconfig`),
      doctor('--kubeconfig', `${dir}/host.kubeconfig`, '--virtual', `${dir}/none`),
    ])
    t.equal(well.code, 0)
    const states = (JSON.parse(well.stdout) as { check: string; state: string }[]).map(
      ({ check, state }) => `${check} ${state}`,
    )
    t.same(states.slice(0, 2), ['Node ok', 'program ok'])
    t.same(states.slice(3), [
      'host cluster ok',
      'host cluster clock ok',
      'vcluster skipped',
      'virtual cluster skipped',
    ])
    t.match(ill, { code: 1, stderr: /failed: virtual cluster; the findings say what to do/ })
  },
)
