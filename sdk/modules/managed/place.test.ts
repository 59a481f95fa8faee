import t from 'tap'
import { connectionOf, placeOf } from './place.js'

const at = (namespace: string, name: string) => ({ metadata: { namespace, name } })

void t.test('the place of a vcluster follows from the Workspace alone, and no two share one', (t) => {
  t.strictSame(placeOf(at('team', 'dev')), placeOf(at('team', 'dev')))
  t.match(placeOf(at('team', 'dev')), { namespace: /^team-dev-[0-9a-f]{8}$/, name: 'dev' })
  t.not(placeOf(at('team-a', 'b')).namespace, placeOf(at('team', 'a-b')).namespace)
  t.not(placeOf(at('team', 'a.b')).namespace, placeOf(at('team', 'a-b')).namespace)
  t.end()
})

void t.test('long names and names that begin with a digit are valid names of Kubernetes', (t) => {
  for (const name of ['a'.repeat(63), `${'a'.repeat(38)}-.${'b'.repeat(20)}`, '1st', '0.1']) {
    const place = placeOf(at('n'.repeat(63), name))
    t.match(place.namespace, /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
    t.match(place.name, /^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/, name)
  }
  t.end()
})

void t.test('a managed Workspace connects by the kubeconfig of its vcluster, whatever else it names', (t) => {
  const workspace = { ...at('team', 'dev'), spec: { type: 'managed' as const } }
  const { namespace, name } = placeOf(workspace)
  t.strictSame(connectionOf(workspace as never), {
    type: 'kubeconfig',
    secretReference: { namespace, name: `vc-${name}`, key: 'config' },
  })
  t.end()
})
