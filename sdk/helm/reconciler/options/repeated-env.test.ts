// Tests charts that name an environment variable twice in a container.
import t from 'tap'
import { deployments } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { functionChart } from '../../chart/function-chart.js'
import { conditionOf, create, find, history, start } from '../reconciled.fixture.js'

const twice = functionChart({ name: 'twice', version: '1.0.0' }, (_, { name }) => [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [
            {
              name: 'a',
              image: 'a',
              env: [
                { name: 'ONE', value: 'first' },
                { name: 'TWO', value: '2' },
                { name: 'ONE', value: 'last' },
              ],
            },
          ],
        },
      },
    },
  } as KubeObject,
])

void t.test(
  'a variable that a container has twice is refused by the API server, as with helm 4',
  async (t) => {
    const test = await start(t, { chart: twice })
    await create(test)
    await test.settled()
    t.match(await conditionOf(test, 'ReleaseFailed'), {
      status: 'True',
      reason: 'InstallError',
      message: /Deployment default\/hello .*ONE/,
    })
  },
)

void t.test("with repeatedEnv: 'last', the last one is applied, and the release is in step", async (t) => {
  const test = await start(t, { chart: twice, repeatedEnv: 'last' })
  await create(test)
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'])
  const deployment = await find(test, deployments)
  t.strictSame(deployment?.spec?.template.spec?.containers[0]?.env, [
    { name: 'TWO', value: '2' },
    { name: 'ONE', value: 'last' },
  ])
})
