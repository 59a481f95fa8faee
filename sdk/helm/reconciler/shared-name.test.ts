// Tests two kinds whose objects have one name: a release belongs to the first one.
import t from 'tap'
import { testOperator } from '../../../testing/index.js'
import { configMaps } from '../../engine/kube/builtin.js'
import type { Resource } from '../../engine/kube/resource.js'
import { functionChart } from '../chart/function-chart.js'
import { chart, configMap, definition, type Greeting, greetings, key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'
import { find, history } from './reconciled.fixture.js'

const farewells: Resource<Greeting> = { ...kind, kind: 'Farewell', plural: 'farewells' }
const other = {
  ...definition,
  metadata: { name: 'farewells.example.com' },
  spec: { ...definition.spec, names: { kind: 'Farewell', plural: 'farewells' } },
}
const farewell = functionChart({ name: 'farewell', version: '1.0.0' }, (_, { name }) => [
  configMap(name, { text: 'bye' }),
])

void t.test(
  'of two kinds with one name, the second one is refused, and its deletion changes nothing',
  async (t) => {
    const test = await testOperator(
      (operator) => {
        operator.register(helmController({ resource: kind, chart }))
        operator.register(helmController({ resource: farewells, chart: farewell }))
      },
      { definitions: [definition, other] },
    )
    t.teardown(() => test.stop())
    await test.client.create(greetings, { metadata: key, spec: { text: 'one' } })
    await test.settled()
    await test.client.create(farewells, { metadata: key })
    await test.settled()
    const { conditions = [] } = (await test.client.get(farewells, key)).status ?? {}
    t.match(
      conditions.find(({ type }) => type === 'Irreconcilable'),
      {
        status: 'True',
        reason: 'ReleaseNameTaken',
        message:
          'the release hello in default belongs to the Greeting hello; uninstall it, or use another name',
      },
    )
    await test.client.delete(farewells, key)
    await test.settled()
    t.equal(await find(test, farewells), undefined)
    t.match(await find(test, configMaps), { data: { text: 'one' } })
    t.strictSame(await history(test), ['1 deployed'])
  },
)
