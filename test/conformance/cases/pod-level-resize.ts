import type { Case, CaseGroup } from '../case.js'

const source =
  'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3, ValidatePodResize; KEP-5419'

interface Resize {
  readonly old: object
  /** Absent if the resources are removed. */
  readonly next?: object
  readonly because?: readonly string[]
}

/** A case about a change of the resources of a whole pod; without causes it is accepted. */
function resizes(name: string, { old, next, because = [] }: Resize): Case {
  return {
    name,
    source,
    async run({ make, patch, expect }) {
      const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '1m' } } }]
      await make('pods', { metadata: { name: 'a' }, spec: { containers, resources: old } })
      const path = '/spec/resources'
      const operation = next === undefined ? { op: 'remove', path } : { op: 'add', path, value: next }
      const answer = await patch('pods/a/resize', 'json', [operation])
      if (because.length > 0) expect.invalid(answer, { kind: 'Pod', name: 'a', because })
      else expect.answer(answer, 200, { metadata: { generation: 2 }, spec: { resources: next } })
    },
  }
}

/** Resizes of pods with resources of their own. */
export const podLevelResize: CaseGroup = {
  name: 'pod-level-resize',
  cases: [
    resizes('the resources of a pod change', {
      old: { requests: { cpu: '1' } },
      next: { requests: { cpu: '2' } },
    }),
    resizes('the resources of a pod cannot be removed', {
      old: { requests: { cpu: '1' } },
      because: ['spec.resources: Forbidden: pod-level resources cannot be removed'],
    }),
    resizes('a request and the limits of a pod cannot be removed', {
      old: { requests: { cpu: '1', memory: '1Mi' }, limits: { cpu: '3' } },
      next: { requests: { memory: '2Mi' } },
      because: [
        'spec.resources.requests: Forbidden: pod-level resource requests cannot be removed',
        'spec.resources.limits: Forbidden: pod-level resource limits cannot be removed',
      ],
    }),
    resizes('other resources of a pod cannot be added', {
      old: { requests: { cpu: '1' } },
      next: { requests: { cpu: '1', 'hugepages-2Mi': '2Mi' }, limits: { 'hugepages-2Mi': '2Mi' } },
      because: ['spec: Forbidden: only cpu and memory resources are mutable at pod-level'],
    }),
  ],
}
