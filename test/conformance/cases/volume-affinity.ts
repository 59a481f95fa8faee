import type { Case, CaseGroup } from '../case.js'

const source = 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3'

const selecting = (key: string, value: string) => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }] },
})
const beta = 'failure-domain.beta.kubernetes.io/zone'
const stable = 'topology.kubernetes.io/zone'
const volume = (name: string, nodeAffinity?: object) => ({
  metadata: { name },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    hostPath: { path: '/a' },
    ...(nodeAffinity === undefined ? {} : { nodeAffinity }),
  },
})
const why = 'field is immutable, except for updating from beta label to GA'

/** A case about a change of the affinity of a volume; without a problem it is accepted. */
function changes(
  name: string,
  [old, next]: readonly [object | undefined, object | undefined],
  problem?: string,
): Case {
  return {
    name,
    source,
    async run({ make, patch, expect, namespace }) {
      await make('persistentvolumes', volume(namespace, old))
      const path = '/spec/nodeAffinity'
      const operation = next === undefined ? { op: 'remove', path } : { op: 'add', path, value: next }
      const answer = await patch(`persistentvolumes/${namespace}`, 'json', [operation])
      if (problem === undefined) expect.answer(answer, 200)
      else expect.invalid(answer, { kind: 'PersistentVolume', name: namespace, because: [problem] })
    },
  }
}

const shown = (key: string, value: string) =>
  `{"Required":{"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"${key}","Operator":"In","Values":["${value}"]}],"MatchFields":null}]}}`

/** The node affinity of PersistentVolumes. */
export const volumeAffinity: CaseGroup = {
  name: 'volume-affinity',
  cases: [
    {
      name: 'the terms of a volume are checked like those of a pod',
      source,
      async run({ post, expect }) {
        const path = 'spec.nodeAffinity.required.nodeSelectorTerms'
        const empty = await post('persistentvolumes', volume('a', { required: {} }))
        const needsTerm = `${path}: Required value: must have at least one node selector term`
        expect.invalid(empty, { kind: 'PersistentVolume', name: 'a', because: [needsTerm] })
        const matchExpressions = [{ key: 'a', operator: 'Exists', values: ['b'] }]
        const required = { nodeSelectorTerms: [{ matchExpressions }] }
        const wrong = await post('persistentvolumes', volume('a', { required }))
        const because = `${path}[0].matchExpressions[0].values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`
        expect.invalid(wrong, { kind: 'PersistentVolume', name: 'a', because: [because] })
      },
    },
    changes('an affinity can be added', [undefined, selecting(stable, 'a')]),
    changes('a label can get its stable name', [selecting(beta, 'a'), selecting(stable, 'a')]),
    changes(
      'an affinity cannot be changed',
      [selecting(beta, 'a'), selecting(stable, 'b')],
      `nodeAffinity: Invalid value: ${shown(stable, 'b')}: ${why}`,
    ),
    changes(
      'a label cannot get its old name',
      [selecting(stable, 'a'), selecting(beta, 'a')],
      `nodeAffinity: Invalid value: ${shown(beta, 'a')}: ${why}`,
    ),
    changes(
      'an affinity cannot be removed',
      [selecting(stable, 'a'), undefined],
      `nodeAffinity: Invalid value: null: ${why}`,
    ),
  ],
}
