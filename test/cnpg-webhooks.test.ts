// The admission webhooks of a CNPG-I plugin over HTTPS, and their place in the inspector.
import { once } from 'node:events'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { HookError } from '../sdk/cnpg/index.js'
import { PluginRuntime } from '../sdk/cnpg/plugin.js'
import { Probes } from '../sdk/engine/health/probes.js'
import type { Overview } from '../sdk/engine/inspector/model.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { serverFlags, writeCertificates } from './cnpg-process.js'
import { cluster, name } from './cnpg-served.js'

interface Answer {
  response: { allowed: boolean; patch?: string; status?: { code: number; message: string } }
}

/** A plugin with its inspector, and a caller of its webhooks. */
async function start(t: Test) {
  const files = writeCertificates(t.testdir(), ['localhost'])
  const env = { VCLUSTER_PLUGIN_INSPECT: '1' }
  let url = ''
  const info = (fields: object) => {
    if ('url' in fields) url ||= String(fields.url)
  }
  const plugin = new PluginRuntime({
    name,
    version: '0.1.0',
    env,
    probes: new Probes(env),
    logger: { ...silentLogger, child: () => silentLogger, info },
    args: [...serverFlags('127.0.0.1:0', files), '--webhook-address', '127.0.0.1:0'],
  })
  plugin.cluster({
    default(_ctx, draft) {
      draft.spec.env = [{ name: 'PASSWORD', value: 'correct horse battery' }]
    },
    validateCreate(ctx) {
      if (ctx.parameters.size === 'huge') ctx.refuse(['size'], 'must be small')
      if (ctx.parameters.size === 'unknown') throw new HookError('the sizes cannot be read')
      if (ctx.parameters.size === 'broken') throw new Error('a secret path')
    },
  })
  const ended = plugin.start()
  t.teardown(async () => {
    await plugin.stop()
    await ended
  })
  while (plugin.address === undefined) await Promise.race([ended, new Promise(setImmediate)])
  const overview = async () => (await (await fetch(`${url}/inspector/api/overview`)).json()) as Overview
  const review = async (path: string, size: string, kind = 'Cluster'): Promise<Answer | string> => {
    const body = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: {
        uid: '1',
        operation: 'CREATE',
        name: 'db',
        object: cluster({ size }),
        kind: { group: 'postgresql.cnpg.io', version: 'v1', kind },
        resource: { group: 'postgresql.cnpg.io', version: 'v1', resource: 'clusters' },
      },
    }
    const headers = { 'content-type': 'application/json' }
    const call = request({
      host: 'localhost',
      port: plugin.webhookPort,
      path,
      method: 'POST',
      headers,
      ca: files.serverCa,
      agent: false,
    })
    call.end(JSON.stringify(body))
    const [response] = await once(call, 'response')
    const answered = await text(response)
    return answered.startsWith('{') ? (JSON.parse(answered) as Answer) : answered
  }
  return { overview, review }
}

void t.test('webhooks answer, and the inspector shows their calls like those of the operator', async (t) => {
  const { overview, review } = await start(t)
  const filled = await review('/default', 'small')
  t.match(filled, { response: { allowed: true, patch: String } })
  t.match(await review('/validate', 'small'), { response: { allowed: true } })
  const refused = { code: 422, message: 'spec.plugins.0.parameters.size' }
  t.match(await review('/validate', 'huge'), { response: { allowed: false, status: refused } })
  t.match(await review('/validate', 'unknown'), 'the sizes cannot be read')
  const broken = await review('/validate', 'broken')
  t.match(broken, 'the log of the plugin has the message')
  t.notMatch(broken, 'secret path')
  t.match(await review('/validate', 'small', 'Pooler'), 'this path is for Cluster')

  const shown = await overview()
  const validate = shown.methods.find(({ name }) => name === 'AdmissionWebhooks/Validate')
  t.match(validate?.calls, { OK: 2, FAILED_PRECONDITION: 1, INTERNAL: 1 })
  t.match(
    validate?.errors?.map(({ message }) => message),
    ['a secret path', 'the sizes cannot be read'],
  )
  const call = shown.calls.find(({ method }) => method === 'AdmissionWebhooks/Default')
  t.match(call, { code: 'OK', cluster: { namespace: 'default', name: 'db' }, patch: [{ path: '/spec/env' }] })
  t.notMatch(JSON.stringify(shown), 'correct horse')
})
