// Values with `toJSON`, such as dates, in what hooks make.
import t from 'tap'
import { InProcessCaller } from '../../../testing/cnpg/in-process-caller.js'
import { testCnpgOperator, testCnpgPlugin } from '../../../testing/cnpg/index.js'
import { operatorMethods } from '../calls/methods.js'
import type { PluginRuntime } from '../plugin.js'

const name = 'a.example.org'
const at = new Date(0)
const text = '1970-01-01T00:00:00.000Z'
const cluster = (more: object = {}) => ({ metadata: { name: 'db' }, spec: { plugins: [{ name }] }, ...more })

void t.test('a status with a date is sent as its text, and is not sent again', async (t) => {
  let shown: object = { since: { at, ids: [2n ** 60n], left: undefined }, by: 'me' }
  const plugin = testCnpgPlugin({ name, version: '1' }).cluster({ status: () => shown })
  const caller = new InProcessCaller(plugin as unknown as PluginRuntime<never>)
  const sent = async (status?: string) => {
    const live = status === undefined ? {} : { status: { pluginStatus: [{ name, status }] } }
    const request = { cluster: Buffer.from(JSON.stringify(cluster(live))) }
    return String((await caller.call(operatorMethods.setStatusInCluster, request)).jsonStatus)
  }
  const status = `{"by":"me","since":{"at":"${text}","ids":[1152921504606846976]}}`
  t.equal(await sent(), status)
  t.equal(await sent(status), '')
  shown = { by: 'me', since: { at: new Date(1), ids: [2n ** 60n] } }
  t.match(await sent(status), '1970-01-01T00:00:00.001Z')
  shown = at
  await t.rejects(sent(), /status of plugin a.example.org must answer an object/)
})

void t.test('a draft with a date gets its text', async (t) => {
  const plugin = testCnpgPlugin({ name, version: '1' })
  plugin.cluster({
    default(_ctx, draft) {
      draft.metadata.annotations = { since: at as never }
    },
  })
  plugin.pods({
    instance(_ctx, pod) {
      pod.metadata.annotations = { since: at as never }
    },
  })
  const operator = await testCnpgOperator(plugin)
  await operator.create(cluster())
  t.match(operator.cluster?.metadata.annotations, { since: text })
  t.match(operator.pods[0]?.metadata.annotations, { since: text })
})
