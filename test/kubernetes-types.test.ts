// The types of Kubernetes objects in sdk/engine/kube/gen are those that @kubernetes/client-node declares.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { V1Deployment, V1Pod } from '@kubernetes/client-node'
import t from 'tap'
import { kubernetesTypes } from '../scripts/kubernetes-types.js'
import type { Builtin, Deployment, Pod } from '../sdk/engine/kube/builtin.js'
import type { NetworkPolicy } from '../sdk/index.js'
import { root } from './dev-run.js'

void t.test('the types are current', (t) => {
  const written = readFileSync(join(root, 'sdk/engine/kube/gen/kubernetes.ts'), 'utf8')
  t.ok(written === `${kubernetesTypes()}\n`, 'run node --import=tsx scripts/kubernetes-types.ts')
  t.end()
})

void t.test('objects with the types of client-node are objects of the SDK, and the reverse', (t) => {
  const pod: Builtin<V1Pod, 'Pod'> = { metadata: { name: 'web' }, spec: { containers: [{ name: 'web' }] } }
  const own: Pod = pod
  const back: Builtin<V1Pod, 'Pod'> = own
  const deployment = (object: Builtin<V1Deployment, 'Deployment'>): Deployment => object
  t.equal(back, pod)
  t.equal(typeof deployment, 'function')
  t.end()
})

void t.test('fields have the names that they have in JSON', (t) => {
  const policy: NetworkPolicy = {
    metadata: { name: 'only-own' },
    spec: { podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }] },
  }
  t.match(JSON.stringify(policy), '"from":[')
  t.end()
})
