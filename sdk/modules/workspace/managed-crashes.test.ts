// Tests that a managed Workspace ends in the same state after a crash at any write: its creation, sleep, wake and
// deletion.
import assert from 'node:assert/strict'
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { exhaust } from '../../../testing/explore/exhaust.js'
import { type OperatorClusters, operatorScenario } from '../../../testing/scenario/operator-scenario.js'
import { statefulSets } from '../../engine/kube/builtin-workloads.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { definitions, NotingProgram, shop } from '../module/modules.fixture.js'
import {
  anyKubeconfig,
  createManaged,
  managedNamespaces,
  placeOfKey,
  playVclusters,
  registeringInside,
} from './managed.fixture.js'

const big = { namespace: 'default', name: 'big' }
const hibernated = (value: boolean) => ({ type: 'merge', body: { spec: { hibernated: value } } }) as const
const replicasOf = async ({ client }: OperatorClusters) =>
  (await client.get(statefulSets, placeOfKey('default', 'big'))).spec?.replicas

void t.test('a crash before or after any write of a managed Workspace has the same end', async (t) => {
  const virtual = await createApiServer({ name: 'virtual' })
  const { namespace } = placeOfKey('default', 'big')
  const scenario = operatorScenario({
    register: registeringInside(new NotingProgram(), virtual),
    definitions,
    simulate: (clusters) => playVclusters(clusters, anyKubeconfig),
    owns: ({ metadata }) => metadata.namespace === namespace || metadata.name === namespace,
    writesPerChange: 24,
    steps: {
      'it is created': ({ client }) => createManaged(client, big),
      'it is to sleep': async (clusters) => {
        assert.equal(await replicasOf(clusters), 1)
        await clusters.client.patch(workspaces, big, hibernated(true))
      },
      'it is to wake': async (clusters) => {
        assert.equal(await replicasOf(clusters), 0)
        await clusters.client.patch(workspaces, big, hibernated(false))
      },
      'it is deleted': async (clusters) => {
        assert.equal(await replicasOf(clusters), 1)
        await clusters.client.delete(workspaces, big)
      },
      'nothing is left': async (clusters) => {
        assert.deepEqual(await managedNamespaces(clusters), [])
        await assert.rejects(clusters.client.get(workspaces, big), { code: 404 })
        await assert.rejects(clusters.client.get(modules, shop), { code: 404 })
      },
    },
  })
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'] })
  t.strictSame(missed, [], 'every crash was injected')
  t.comment(`${writes.length} writes, ${runs} crashes`)
  t.comment(writes.join('\n'))
})
