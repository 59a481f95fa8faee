import t from 'tap'
import { customResourceDefinitions, pods } from '../../engine/kube/builtin.js'
import { jobs } from '../../engine/kube/builtin-workloads.js'
import { isReady } from './is-ready.js'

const metadata = { name: 'one' }

void t.test('an object without conditions yet is not ready if its kind has some', async (t) => {
  for (const resource of [customResourceDefinitions, jobs, pods]) {
    for (const status of [{}, { conditions: null }, { conditions: [] }])
      t.equal(isReady({ metadata, status } as never, resource), false, resource.kind)
  }
})

void t.test('a definition is ready when it is established', async (t) => {
  const established = (status: string) => ({ conditions: [{ type: 'Established', status }] })
  t.equal(isReady({ metadata, status: established('False') } as never, customResourceDefinitions), false)
  t.equal(isReady({ metadata, status: established('True') } as never, customResourceDefinitions), true)
})
