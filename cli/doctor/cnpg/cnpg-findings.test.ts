import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { createClient } from '../../../sdk/engine/client/create-client.js'
import { type Deployment, deployments, namespaces, services } from '../../../sdk/engine/kube/builtin.js'
import type { Transport } from '../../../sdk/engine/transport/transport.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { cnpgFindings } from './cnpg-findings.js'

const labels = { 'app.kubernetes.io/name': 'cloudnative-pg' }
const operatorIn = (namespace: string): Deployment => ({
  metadata: { namespace, name: 'operator', labels },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'manager', image: 'operator:1' }] } },
  },
})

void t.test('doctor names the namespace in which it looks for the plugin, and why', async (t) => {
  const server = await createApiServer({ name: 'cluster' })
  t.teardown(() => server.close())
  const client = createClient({ transport: inProcessTransport(server) })
  const find = async (namespace?: string, contextNamespace?: string) => {
    const findings = await cnpgFindings({
      client,
      plugin: 'hello.example.org',
      namespace,
      contextNamespace,
      now: new Date(),
    })
    return findings.map(({ check, message }) => `${check}: ${message}`)
  }

  t.match(await find('mine', 'team'), [
    /^namespace: mine, by -n$/,
    /^operator/,
    /^Service: no Service in mine has/,
  ])
  t.match(await find(undefined, 'team'), [
    /^namespace: team, that of the context of the kubeconfig; pass that of the plugin with -n if it is another$/,
    /^operator/,
    /^Service: no Service in team has/,
  ])
  t.match(await find(), [
    /^namespace: cnpg-system, the usual one, because the context names none; pass that of the plugin with -n/,
    /^operator/,
    /^Service: no Service in cnpg-system has/,
  ])

  await client.create(namespaces, { metadata: { name: 'databases' } })
  await client.create(deployments, operatorIn('databases'))
  t.match(await find(undefined, 'team'), [
    /^namespace: databases, that of the operator; pass that of the plugin with -n if it is another$/,
    /^operator: in databases, where it looks for plugins$/,
    /^Service: no Service in databases has/,
  ])
  await client.create(deployments, operatorIn('default'))
  t.match(
    await find(undefined, 'team'),
    [/^namespace: team, that of the context/],
    'of several none is chosen',
  )
})

void t.test('what may not be read is skipped, and the other parts are checked', async (t) => {
  const server = await createApiServer({ name: 'cluster' })
  t.teardown(() => server.close())
  const transport = inProcessTransport(server)
  await createClient({ transport }).create(services, {
    metadata: {
      namespace: 'default',
      name: 'hello',
      labels: { 'cnpg.io/pluginName': 'hello.example.org' },
      annotations: {
        'cnpg.io/pluginPort': '9090',
        'cnpg.io/pluginServerSecret': 'server',
        'cnpg.io/pluginClientSecret': 'client',
      },
    },
    spec: { ports: [{ port: 9090 }] },
  })
  const find = async (refused: string, code?: number) => {
    const findings = await cnpgFindings({
      client: createClient({ transport: refusing(transport, refused, code) }),
      plugin: 'hello.example.org',
      namespace: 'default',
      contextNamespace: undefined,
      now: new Date(),
    })
    return findings.map(({ check, state }) => `${check} ${state}`)
  }
  const certificates = ['server certificate failed', 'client certificate failed']
  t.strictSame(await find('/deployments'), [
    'namespace ok',
    'operator skipped',
    'Service ok',
    'port ok',
    ...certificates,
  ])
  t.strictSame(await find('/services'), ['namespace ok', 'operator warning', 'Service skipped'])
  t.strictSame(await find('/secrets/client'), [
    'namespace ok',
    'operator warning',
    'Service ok',
    'port ok',
    'server certificate failed',
    'client certificate skipped',
  ])
  t.ok(
    (await find('/secrets/client', 500)).includes('client certificate failed'),
    'a failure of the API server counts',
  )
})

/** The cluster with an API server that refuses a path; by default because of the credentials. */
function refusing(transport: Transport, refused: string, code = 403): Transport {
  const status = { kind: 'Status', status: 'Failure', code, reason: 'Forbidden', message: 'not you' }
  return {
    ...transport,
    request: (call) =>
      call.path.includes(refused)
        ? Promise.resolve({ status: code, headers: {}, body: Buffer.from(JSON.stringify(status)) })
        : transport.request(call),
  }
}
