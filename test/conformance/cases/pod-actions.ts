import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const storage = 'k8s.io/kubernetes pkg/registry/core/pod/storage/storage.go @ v1.36.3, BindingREST'
const evictionRest = 'k8s.io/kubernetes pkg/registry/core/pod/storage/eviction.go @ v1.36.3'
const other = '00000000-0000-0000-0000-000000000000'
const containers = [{ name: 'c', image: 'i' }]

const makePod = ({ make }: CaseClient, spec: object = {}) =>
  make('pods', { metadata: { name: 'a' }, spec: { containers, ...spec } })
const bindingOf = (metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name: 'a', ...metadata },
  target: { kind: 'Node', name: 'nowhere' },
})
const bind = ({ post }: CaseClient, metadata: object = {}) => post('pods/a/binding', bindingOf(metadata))
const evict = ({ post }: CaseClient, members: object) =>
  post('pods/a/eviction', { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' }, ...members })

function refusesBody(name: string, members: object, message: string): Case {
  return {
    name,
    source: 'k8s.io/apiserver pkg/endpoints/handlers/create.go @ v0.36.3',
    async run(client) {
      await makePod(client)
      client.expect.refused(await evict(client, members), { code: 400, reason: 'BadRequest', message })
      client.expect.answer(await client.get('pods/a'), 200)
    },
  }
}

/** Bindings and evictions of pods. */
export const podActions: CaseGroup = {
  name: 'pod-actions',
  cases: [
    {
      name: 'the UID of a binding is that of its pod',
      source: storage,
      async run(client) {
        const { expect, namespace } = client
        const { metadata } = await makePod(client)
        const why = `Precondition failed: UID in precondition: ${other}, UID in object meta: ${metadata.uid}`
        expect.refused(await bind(client, { uid: other }), {
          code: 409,
          reason: 'Conflict',
          message: `Operation cannot be fulfilled on pods "a": StorageError: invalid object, Code: 4, Key: /registry/pods/${namespace}/a, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
          details: { name: 'a', kind: 'pods' },
        })
        expect.answer(await bind(client, { uid: metadata.uid }), 201)
      },
    },
    {
      name: 'a binding that names no pod in its URL has no UID',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/create.go @ v0.36.3, WipeObjectMetaSystemFields',
      async run(client) {
        const { post, expect, namespace } = client
        await makePod(client)
        const path = `/api/v1/namespaces/${namespace}/bindings`
        expect.answer(await post(path, bindingOf({ resourceVersion: '1' })), 409)
        expect.answer(await post(path, bindingOf({ uid: other })), 201)
      },
    },
    {
      name: 'the resourceVersion of a binding is that of its pod',
      source: storage,
      async run(client) {
        const { expect, namespace } = client
        const { metadata } = await makePod(client)
        const stored = metadata.resourceVersion
        const why = `Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: ${stored}`
        expect.refused(await bind(client, { resourceVersion: '1' }), {
          code: 409,
          reason: 'Conflict',
          message: `Operation cannot be fulfilled on pods "a": StorageError: invalid object, Code: 4, Key: /registry/pods/${namespace}/a, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
          details: { name: 'a', kind: 'pods' },
        })
        expect.answer(await bind(client, { resourceVersion: stored }), 201)
      },
    },
    {
      name: 'a pod with scheduling gates is not bound',
      source: storage,
      async run(client) {
        await makePod(client, { schedulingGates: [{ name: 'x.example/gate' }] })
        const refused = await bind(client)
        client.expect.refused(refused, {
          code: 409,
          reason: 'Conflict',
          message:
            'Operation cannot be fulfilled on pods/binding "a": pod a has non-empty .spec.schedulingGates',
          details: { name: 'a', kind: 'pods/binding' },
        })
        await client.patch('pods/a', 'merge', { spec: { schedulingGates: null } })
        client.expect.answer(await bind(client), 201)
      },
    },
    {
      name: 'a binding replaces the condition of an unscheduled pod, and removes its nomination',
      source: storage,
      async run(client) {
        await makePod(client)
        const conditions = [
          { type: 'PodScheduled', status: 'False' },
          { type: 'x.example/b', status: 'True' },
        ]
        await client.patch('pods/a/status', 'merge', { status: { nominatedNodeName: 'n', conditions } })
        client.expect.answer(await bind(client), 201)
        const { status } = await client.read('pods/a')
        client.expect.has(status, {
          nominatedNodeName: undefined,
          conditions: [{ type: 'PodScheduled', status: 'True' }, { type: 'x.example/b' }],
        })
      },
    },
    {
      name: 'a binding is an object of its kind, in its namespace',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/create.go @ v0.36.3',
      async run(client) {
        const { post, expect } = client
        await makePod(client)
        expect.refused(await post('pods/a/binding', { metadata: { name: 'a' } }), {
          code: 400,
          reason: 'BadRequest',
          message:
            'Pod in version "v1" cannot be handled as a Binding: converting (v1.Pod) to (core.Binding): unknown conversion',
        })
        expect.refused(await post('pods/a/binding', { ...bindingOf(), target: 'nowhere' }), {
          code: 400,
          reason: 'BadRequest',
          message:
            'Binding in version "v1" cannot be handled as a Binding: json: cannot unmarshal string into Go struct field Binding.target of type v1.ObjectReference',
        })
        expect.refused(await bind(client, { namespace: 'default' }), {
          code: 400,
          reason: 'BadRequest',
          message: 'the namespace of the provided object does not match the namespace sent on the request',
        })
      },
    },
    refusesBody(
      'an eviction is an object of its kind',
      { apiVersion: 'v1', kind: 'Pod' },
      'Pod in version "v1" cannot be handled as a Eviction: converting (v1.Pod) to (policy.Eviction): unknown conversion',
    ),
    refusesBody(
      'the options of an eviction have types',
      { deleteOptions: { gracePeriodSeconds: 'x' } },
      'Eviction in version "v1" cannot be handled as a Eviction: json: cannot unmarshal string into Go struct field DeleteOptions.deleteOptions.gracePeriodSeconds of type int64',
    ),
    refusesBody(
      'an eviction names its pod',
      { metadata: {} },
      'name in URL does not match name in Eviction object',
    ),
    refusesBody(
      'an eviction is in the namespace of its pod',
      { metadata: { name: 'a', namespace: 'default' } },
      'the namespace of the provided object does not match the namespace sent on the request',
    ),
    {
      name: 'an eviction may have the old version, and options with a kind',
      source: `${evictionRest}, AcceptsGroupVersion`,
      async run(client) {
        await makePod(client)
        const deleteOptions = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 }
        const strict = await client.post('pods/a/eviction?fieldValidation=Strict', {
          apiVersion: 'policy/v1beta1',
          kind: 'Eviction',
          metadata: { name: 'a' },
          deleteOptions,
        })
        client.expect.answer(strict, 201, { kind: 'Status', status: 'Success' })
      },
    },
    {
      name: 'an eviction with malformed options takes nothing from a disruption budget',
      source: evictionRest,
      async run(client) {
        const { make, patch, read, expect } = client
        const labels = { app: client.namespace }
        const spec = { nodeName: 'nowhere', containers }
        await make('pods', { metadata: { name: 'a', labels }, spec })
        const conditions = [{ type: 'Ready', status: 'True' }]
        await patch('pods/a/status', 'merge', { status: { phase: 'Running', conditions } })
        const selector = { matchLabels: labels }
        await make('poddisruptionbudgets', { metadata: { name: 'a' }, spec: { maxUnavailable: 1, selector } })
        const counts = { currentHealthy: 1, desiredHealthy: 0, expectedPods: 1, disruptionsAllowed: 1 }
        const budget = { status: { observedGeneration: 1, ...counts } }
        await patch('poddisruptionbudgets/a/status', 'merge', budget)
        expect.answer(await evict(client, { deleteOptions: { gracePeriodSeconds: 'x' } }), 400)
        const { status } = await read('poddisruptionbudgets/a')
        expect.has(status, { disruptedPods: undefined })
        expect.answer(await client.delete('pods/a', { gracePeriodSeconds: 0 }), 200)
      },
    },
  ],
}
