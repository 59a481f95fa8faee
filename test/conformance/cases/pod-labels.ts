import type { Case, CaseGroup } from '../case.js'

const validation = 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3'
const merging = 'k8s.io/kubernetes pkg/registry/core/pod/strategy.go @ v1.36.3; KEP-3243 and KEP-3633'
const topology = 'k8s.io/kubernetes plugin/pkg/admission/podtopologylabels/admission.go @ v1.36.3; KEP-4742'

const containers = [{ name: 'c', image: 'i' }]
const labels = { app: 'a', tier: 'b' }
const field = 'requiredDuringSchedulingIgnoredDuringExecution'
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }

/** A case about a pod whose affinity term is not valid. */
function refusesTerm(name: string, term: object, ...problems: readonly string[]): Case {
  return {
    name,
    source: validation,
    async run({ post, expect }) {
      const affinity = { podAffinity: { [field]: [{ topologyKey: 'zone', ...term }] } }
      const answer = await post('pods', { metadata: { name: 'a', labels }, spec: { containers, affinity } })
      const because = problems.map((problem) => `spec.affinity.podAffinity.${field}[0]${problem}`)
      expect.invalid(answer, { kind: 'Pod', name: 'a', because })
    },
  }
}

const onlyWithSelector = 'Forbidden: must not be specified when labelSelector is not set'

/** The labels of pods in their own fields, and those of their nodes. */
export const podLabels: CaseGroup = {
  name: 'pod-labels',
  cases: [
    {
      name: 'label keys of affinity terms become expressions of their selectors',
      source: merging,
      async run({ make, expect }) {
        const term = { topologyKey: 'zone', labelSelector: { matchLabels: { x: 'y' } } }
        const keys = { matchLabelKeys: ['app', 'absent'], mismatchLabelKeys: ['tier'] }
        const podAffinityTerm = { topologyKey: 'zone', matchLabelKeys: ['app'], labelSelector: {} }
        const preferred = [{ weight: 1, podAffinityTerm }]
        const affinity = {
          podAffinity: { [field]: [{ ...term, ...keys }] },
          podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred },
        }
        const pod = await make('pods', { metadata: { name: 'a', labels }, spec: { containers, affinity } })
        const app = { key: 'app', operator: 'In', values: ['a'] }
        const tier = { key: 'tier', operator: 'NotIn', values: ['b'] }
        expect.has(pod, {
          spec: {
            affinity: {
              podAffinity: {
                [field]: [
                  {
                    ...term,
                    ...keys,
                    labelSelector: { ...term.labelSelector, matchExpressions: [app, tier] },
                  },
                ],
              },
              podAntiAffinity: {
                preferredDuringSchedulingIgnoredDuringExecution: [
                  { podAffinityTerm: { labelSelector: { matchExpressions: [app] } } },
                ],
              },
            },
          },
        })
      },
    },
    {
      name: 'label keys of spread constraints become expressions of their selectors',
      source: merging,
      async run({ make, expect }) {
        const constraint = { ...spread, matchLabelKeys: ['app', 'absent'], labelSelector: {} }
        const spec = { containers, topologySpreadConstraints: [constraint] }
        const pod = await make('pods', { metadata: { name: 'a', labels }, spec })
        const matchExpressions = [{ key: 'app', operator: 'In', values: ['a'] }]
        expect.has(pod, { spec: { topologySpreadConstraints: [{ labelSelector: { matchExpressions } }] } })
      },
    },
    refusesTerm(
      'label keys need a selector',
      { matchLabelKeys: ['app'], mismatchLabelKeys: ['tier'] },
      `.matchLabelKeys: ${onlyWithSelector}`,
      `.mismatchLabelKeys: ${onlyWithSelector}`,
    ),
    refusesTerm(
      'label keys that are also in the selector are refused',
      { matchLabelKeys: ['tier', 'app'], labelSelector: { matchLabels: { app: 'a' } } },
      '[1]: Invalid value: "app": exists in both matchLabelKeys and labelSelector',
    ),
    refusesTerm(
      'label keys that both lists contain are refused',
      { matchLabelKeys: ['app'], mismatchLabelKeys: ['tier', 'app'], labelSelector: {} },
      '[0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector',
      '.matchLabelKeys[0]: Invalid value: "app": exists in both matchLabelKeys and mismatchLabelKeys',
    ),
    refusesTerm(
      'label keys are checked by their form',
      { matchLabelKeys: ['/'], mismatchLabelKeys: ['-'], labelSelector: {} },
      '.matchLabelKeys[0]: Invalid value: "/": prefix part must be non-empty',
      '.matchLabelKeys[0]: Invalid value: "/": name part must be non-empty',
      ".matchLabelKeys[0]: Invalid value: \"/\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ".mismatchLabelKeys[0]: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ),
    {
      name: 'label keys of spread constraints are checked',
      source: validation,
      async run({ post, expect }) {
        const topologySpreadConstraints = [
          { ...spread, matchLabelKeys: ['app'] },
          {
            ...spread,
            topologyKey: 'b',
            matchLabelKeys: ['app'],
            labelSelector: { matchLabels: { app: 'a' } },
          },
        ]
        const spec = { containers, topologySpreadConstraints }
        expect.invalid(await post('pods', { metadata: { name: 'a', labels }, spec }), {
          kind: 'Pod',
          name: 'a',
          because: [
            `spec.topologySpreadConstraints[0].matchLabelKeys: ${onlyWithSelector}`,
            'spec.topologySpreadConstraints[1][0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector',
          ],
        })
        const template = { metadata: { labels }, spec }
        const answer = await post('podtemplates', { metadata: { name: 'a' }, template })
        expect.invalid(answer, {
          kind: 'PodTemplate',
          name: 'a',
          because: [`template.spec.topologySpreadConstraints[0].matchLabelKeys: ${onlyWithSelector}`],
        })
      },
    },
    {
      name: 'a pod gets the zone and the region of its node',
      source: topology,
      async run({ make, post, read, until, expect, namespace }) {
        const places = { 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r' }
        const nodeLabels = { ...places, 'topology.kubernetes.io/other': 'o', 'kubernetes.io/hostname': 'h' }
        await make('nodes', { metadata: { name: namespace, labels: nodeLabels } })
        const tried = { 'topology.kubernetes.io/zone': 'mine', app: 'a' }
        const pod = (name: string, spec: object = {}) => ({
          metadata: { name, labels: tried },
          spec: { containers, ...spec },
        })
        // A real server knows a new node a moment later.
        await until('the node is known', async () => {
          const answer = await post('pods?dryRun=All', pod('try', { nodeName: namespace }))
          return answer.text.includes('topology.kubernetes.io/region')
        })
        const created = await make('pods', pod('created', { nodeName: namespace }))
        expect.same(created.metadata.labels, { app: 'a', ...places })
        await make('pods', pod('bound'))
        const target = { kind: 'Node', name: namespace }
        const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'bound' }, target }
        expect.answer(await post('pods/bound/binding', binding), 201)
        expect.same((await read('pods/bound')).metadata.labels, { app: 'a', ...places })
      },
    },
  ],
}
