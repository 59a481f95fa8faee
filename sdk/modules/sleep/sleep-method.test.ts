import t from 'tap'
import { losesVolumes, restoredPolicy, whenScaledAnnotation } from './kept-volumes.js'
import { sleepMethodOf } from './sleep-method.js'

const live = (spec: object, more: object = {}) => ({ metadata: { name: 'a' }, spec, ...more })
const running = (group: string, kind: string, object: ReturnType<typeof live>) =>
  sleepMethodOf({ group, kind }, object)?.runningOf(object)

void t.test('each kind of workload sleeps by its own field', (t) => {
  t.equal(running('apps', 'Deployment', live({ replicas: 3 })), 3)
  t.equal(running('apps', 'StatefulSet', live({})), 1, 'the default of Kubernetes')
  t.equal(running('batch', 'CronJob', live({ suspend: true })), 0)
  const conditions = [{ type: 'Complete', status: 'True' }]
  t.equal(running('batch', 'Job', live({}, { status: { conditions } })), 0, 'a Job that has ended')
  t.equal(running('apps', 'DaemonSet', live({})), 1)
  const nodeSelector = { 'forkspacer.com/asleep': 'true' }
  t.equal(running('apps', 'DaemonSet', live({ template: { spec: { nodeSelector } } })), 0)
  t.equal(running('example.com', 'Database', live({ replicas: 2 })), 2, 'a kind with replicas')
  t.equal(running('example.com', 'Database', live({})), undefined)
  t.equal(running('', 'Pod', live({ replicas: 2 })), undefined, 'a kind of Kubernetes that does not sleep')
  t.end()
})

void t.test('a note that is not a number of replicas wakes nothing', (t) => {
  const method = sleepMethodOf({ group: 'apps', kind: 'Deployment' }, live({}))
  t.equal(method?.readNote('3'), 3)
  for (const text of ['', '0', '-1', '1e9', '3.5', '99999999999']) t.equal(method?.readNote(text), 0, text)
  t.end()
})

void t.test('a StatefulSet whose volumes would go is found, and its policy comes back', (t) => {
  const persistentVolumeClaimRetentionPolicy = { whenScaled: 'Delete' }
  const set = live({ persistentVolumeClaimRetentionPolicy, volumeClaimTemplates: [{}] })
  const resource = { group: 'apps', kind: 'StatefulSet' }
  t.ok(losesVolumes(resource, set))
  t.notOk(losesVolumes(resource, live({ persistentVolumeClaimRetentionPolicy })), 'it has none')
  t.notOk(losesVolumes({ group: 'apps', kind: 'Deployment' }, set))
  const noted = { metadata: { name: 'a', annotations: { [whenScaledAnnotation]: 'Delete' } } }
  t.strictSame(restoredPolicy(noted), {
    annotations: { [whenScaledAnnotation]: null },
    spec: { persistentVolumeClaimRetentionPolicy },
  })
  t.strictSame(restoredPolicy(live({})), {})
  t.end()
})
