import t from 'tap'
import { describeOperator } from '../../operator/describe/describe-operator.js'
import { chart, definition, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'

const describe = (options: object) =>
  describeOperator({ name: 'mine', env: {} }, [
    helmController({ resource: kind, chart, ...options }) as never,
  ])

void t.test('an operator describes the definition of a kind that gets releases, and its permissions', (t) => {
  const { kinds, controllers } = describe({ definition })
  t.match(kinds, [{ cluster: 'main', resource: kind, hasScale: false, definition }])
  t.strictSame(describe({}).kinds, [], 'if it was given')
  const secrets = controllers[0]?.rules.find(({ resource }) => resource === 'secrets')
  t.match(secrets, { verbs: ['create', 'delete', 'get', 'list', 'update', 'watch'] })
  t.end()
})
