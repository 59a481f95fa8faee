import t from 'tap'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { endStateOf } from './end-state.js'

void t.test('an address that begins with another one is replaced as a whole', async (t) => {
  const service = (name: string, clusterIP: string) =>
    ({ metadata: { namespace: 'default', name, uid: `uid of ${name}` }, spec: { clusterIP } }) as KubeObject
  const user = {
    metadata: { namespace: 'default', name: 'user', annotations: { uses: '10.96.0.23,10.96.0.2:80' } },
    spec: {},
  }
  const objects = [service('a', '10.96.0.2'), service('b', '10.96.0.23'), user]
  const state = await endStateOf({
    collections: { main: new Set(['/api/v1/services']) },
    list: async () => objects,
    times: { mask: (text: string) => text } as never,
  })
  t.match(state.get('main services default/b'), /"clusterIP":"<address of main services default\/b>"/)
  const uses = '"uses":"<address of main services default/b>,<address of main services default/a>:80"'
  t.match(state.get('main services default/user'), uses)
})
