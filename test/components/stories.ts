import type { Shown, StoryClient } from './story-client.js'

/** Something that the components of a control plane do. */
export interface Story {
  readonly name: string
  /** Plays it, until its objects do not change any more. */
  play(stage: StoryClient): Promise<void>
  /** The lists and objects to compare at the end. */
  readonly shows: readonly string[]
}

const labels = { app: 'a' }
const selector = { matchLabels: labels }
const container = (image: string) => ({ name: 'c', image, resources: { requests: { cpu: '10m' } } })
const template = (image = 'one', spec: object = {}) => ({
  metadata: { labels },
  spec: { containers: [container(image)], terminationGracePeriodSeconds: 0, ...spec },
})
const jobTemplate = template('one', { restartPolicy: 'Never' })
const isComplete = ({ status }: Shown) =>
  (status.conditions ?? []).some((each) => each.type === 'Complete' && each.status === 'True')
const isObserved = ({ metadata, status }: Shown) => status.observedGeneration === metadata.generation

/** The stories of kube-controller-manager and kube-scheduler; each has a namespace of its own. */
export const stories: readonly Story[] = [
  {
    name: 'a Deployment is rolled out',
    shows: ['deployments', 'replicasets', 'pods'],
    async play({ make, patch, play, read, items }) {
      const isRolledOut = async (image: string) => {
        const deployment = await read('deployments/a')
        const { status, spec } = deployment
        const counts = [status.replicas, status.updatedReplicas, status.availableReplicas]
        const pods = await items('pods')
        return (
          isObserved(deployment) &&
          spec.template?.spec.containers[0]?.image === image &&
          counts.every((count) => count === 2) &&
          pods.length === 2 &&
          (status.conditions ?? []).some(({ reason }) => reason === 'NewReplicaSetAvailable')
        )
      }
      await make('deployments', {
        metadata: { name: 'a' },
        spec: { replicas: 2, selector, template: template() },
      })
      await play('Running', () => isRolledOut('one'))
      await patch('deployments/a', 'json', [
        { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'two' },
      ])
      await play('Running', () => isRolledOut('two'))
    },
  },
  {
    name: 'a StatefulSet starts its pods in order',
    shows: ['statefulsets', 'controllerrevisions', 'pods', 'persistentvolumeclaims'],
    async play({ make, play, read }) {
      const spec = { serviceName: 's', replicas: 2, selector, template: template() }
      await make('statefulsets', { metadata: { name: 'a' }, spec })
      await play('Running', async () => {
        const { status } = await read('statefulsets/a')
        return status.availableReplicas === 2 && status.updatedReplicas === 2
      })
    },
  },
  {
    name: 'a DaemonSet has a pod on each node',
    shows: ['daemonsets', 'controllerrevisions', 'pods'],
    async play({ make, play, read }) {
      await make('daemonsets', { metadata: { name: 'a' }, spec: { selector, template: template() } })
      await play('Running', async () => {
        const daemons = await read('daemonsets/a')
        return isObserved(daemons) && daemons.status.numberAvailable === 1
      })
    },
  },
  {
    name: 'a Job completes',
    shows: ['jobs', 'pods'],
    async play({ make, play, read }) {
      const spec = { completions: 2, parallelism: 2, template: jobTemplate }
      await make('jobs', { metadata: { name: 'a' }, spec })
      await play('Succeeded', async () => isComplete(await read('jobs/a')))
    },
  },
  {
    name: 'a completed Job is deleted after its time to live',
    shows: ['jobs', 'pods'],
    async play({ make, play, get }) {
      await make('jobs', {
        metadata: { name: 'a' },
        spec: { ttlSecondsAfterFinished: 1, template: jobTemplate },
      })
      await play('Succeeded', async () => (await get('jobs/a')).status === 404)
    },
  },
  {
    name: 'a CronJob makes the Job that it missed',
    shows: ['jobs', 'pods'],
    async play({ make, patch, items, expect, play }) {
      const minute = new Date(Date.now() - 60_000).getUTCMinutes()
      const schedule = { schedule: `${minute} * * * *`, timeZone: 'Etc/UTC', suspend: true }
      const spec = { ...schedule, jobTemplate: { spec: { template: jobTemplate } } }
      await make('cronjobs', { metadata: { name: 'a' }, spec })
      const lastScheduleTime = new Date(Date.now() - 3_000_000).toISOString().replace(/\.\d+Z/, 'Z')
      expect.answer(await patch('cronjobs/a/status', 'merge', { status: { lastScheduleTime } }), 200)
      await patch('cronjobs/a', 'merge', { spec: { suspend: false } })
      await play('Succeeded', async () => {
        const jobs = await items('jobs')
        if (jobs.length > 0) await patch('cronjobs/a', 'merge', { spec: { suspend: true } })
        return jobs.length > 0 && jobs.every(isComplete)
      })
      const [, ...others] = await items('jobs')
      expect.same(others, [])
    },
  },
  {
    name: 'a pod waits for a node that fits, and is bound to it',
    shows: ['pods'],
    async play({ make, untilObject, play, read }) {
      const pod = (name: string, spec: object) => make('pods', { metadata: { name }, spec })
      const containers = [container('one')]
      await pod('lost', { containers, nodeSelector: { disk: 'none' } })
      await pod('large', { containers: [{ ...container('one'), resources: { requests: { cpu: '900' } } }] })
      await pod('fits', { containers, priorityClassName: 'system-node-critical' })
      for (const name of ['lost', 'large']) {
        await untilObject(`pods/${name}`, ({ status }) => status.conditions?.[0]?.reason === 'Unschedulable')
      }
      await play('Running', async () => (await read('pods/fits')).status.phase === 'Running')
    },
  },
  {
    name: 'a Service has the ready pods as endpoints',
    shows: ['endpointslices', 'endpoints', 'services'],
    async play({ make, play, items, get }) {
      await make('services', { metadata: { name: 's' }, spec: { selector: labels, ports: [{ port: 80 }] } })
      await make('pods', { metadata: { name: 'p', labels }, spec: template().spec })
      await play('Running', async () => {
        const [slice] = await items('endpointslices')
        const endpoints = (await get('endpoints/s')).body as unknown as Shown
        return (
          slice?.endpoints?.[0]?.conditions.ready === true && endpoints.subsets?.[0]?.addresses?.length === 1
        )
      })
    },
  },
  {
    name: 'a budget counts its pods, and an eviction is refused',
    shows: ['poddisruptionbudgets', 'replicasets'],
    async play({ make, play, read, post, expect, items }) {
      await make('replicasets', {
        metadata: { name: 'a' },
        spec: { replicas: 1, selector, template: template() },
      })
      await make('poddisruptionbudgets', { metadata: { name: 'b' }, spec: { minAvailable: 1, selector } })
      await play('Running', async () => {
        const budget = await read('poddisruptionbudgets/b')
        const set = await read('replicasets/a')
        return isObserved(budget) && budget.status.currentHealthy === 1 && set.status.availableReplicas === 1
      })
      const [pod] = await items('pods')
      const name = pod?.metadata.name ?? ''
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }
      expect.same((await post(`pods/${name}/eviction`, eviction)).status, 429)
    },
  },
  {
    name: 'dependents go with their owner, in the foreground and as orphans',
    shows: ['configmaps', 'secrets'],
    async play({ make, delete: remove, untilGone, untilObject }) {
      const owners = ['foreground', 'background', 'orphan']
      for (const name of owners) {
        const owner = await make('configmaps', { metadata: { name } })
        const { uid } = owner.metadata
        const reference = { apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: true }
        await make('secrets', { metadata: { name: `of-${name}`, ownerReferences: [reference] } })
      }
      await remove('configmaps/foreground?propagationPolicy=Foreground')
      await remove('configmaps/background?propagationPolicy=Background')
      await remove('configmaps/orphan?propagationPolicy=Orphan')
      for (const name of owners) await untilGone(`configmaps/${name}`)
      for (const name of ['foreground', 'background']) await untilGone(`secrets/of-${name}`)
      await untilObject('secrets/of-orphan', ({ metadata }) => metadata.ownerReferences === undefined)
    },
  },
  {
    name: 'a namespace is emptied and deleted',
    shows: [],
    async play({ make, post, delete: remove, untilGone, namespace, expect }) {
      const name = `${namespace}-ends`
      await make('namespaces', { metadata: { name } })
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
      expect.answer(await post(`/api/v1/namespaces/${name}/configmaps`, body), 201)
      expect.answer(await remove(`namespaces/${name}`), 200)
      await untilGone(`namespaces/${name}`)
    },
  },
  {
    name: 'a quota is counted, and refuses what is too much',
    shows: ['resourcequotas', 'configmaps'],
    async play({ make, post, untilObject, delete: remove, expect }) {
      await make('configmaps', { metadata: { name: 'a' } })
      const hard = { 'count/configmaps': '3', 'count/secrets': '0' }
      await make('resourcequotas', { metadata: { name: 'q' }, spec: { hard } })
      const counted = (count: string) =>
        untilObject('resourcequotas/q', ({ status }) => status.used?.['count/configmaps'] === count)
      await counted('2')
      await make('configmaps', { metadata: { name: 'b' } })
      expect.same((await post('configmaps', { metadata: { name: 'c' } })).status, 403)
      await remove('configmaps/b')
      await counted('2')
    },
  },
  {
    name: 'a claim is bound to a volume',
    shows: ['persistentvolumeclaims'],
    async play({ make, untilObject, namespace, read, expect, delete: remove }) {
      const name = `${namespace}-volume`
      const common = { accessModes: ['ReadWriteOnce'], storageClassName: name }
      await make('persistentvolumes', {
        metadata: { name },
        spec: { ...common, capacity: { storage: '1Gi' }, hostPath: { path: '/tmp/a' } },
      })
      await make('persistentvolumeclaims', {
        metadata: { name: 'c' },
        spec: { ...common, resources: { requests: { storage: '1Gi' } } },
      })
      await untilObject('persistentvolumeclaims/c', ({ status }) => status.phase === 'Bound')
      await untilObject(`persistentvolumes/${name}`, ({ status }) => status.phase === 'Bound')
      const volume = await read(`persistentvolumes/${name}`)
      expect.same(volume.spec.claimRef?.name, 'c')
      await remove('persistentvolumeclaims/c')
      await untilObject(`persistentvolumes/${name}`, ({ status }) => status.phase === 'Released')
    },
  },
  {
    name: 'an aggregated ClusterRole gets the rules of others',
    shows: [],
    async play({ make, untilObject, namespace }) {
      const mark = { [`aggregate-${namespace}`]: 'true' }
      const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
      const clusterRoleSelectors = [{ matchLabels: mark }]
      await make('clusterroles', {
        metadata: { name: `${namespace}-all` },
        aggregationRule: { clusterRoleSelectors },
        rules: [],
      })
      await make('clusterroles', { metadata: { name: `${namespace}-part`, labels: mark }, rules })
      await untilObject(`clusterroles/${namespace}-all`, (role) => role.rules?.length === 1)
    },
  },
  {
    name: 'a namespace has its service account and its certificate authority',
    shows: ['serviceaccounts', 'configmaps'],
    async play({ untilObject, delete: remove }) {
      await untilObject('configmaps/kube-root-ca.crt', () => true)
      await remove('serviceaccounts/default')
      await untilObject('serviceaccounts/default', () => true)
    },
  },
]
