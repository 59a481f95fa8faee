import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { createClient } from '../../../sdk/engine/client/create-client.js'
import { type Deployment, deployments, namespaces } from '../../../sdk/engine/kube/builtin.js'
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
