import type { CaseGroup } from '../case.js'
import { define } from '../custom-resource.js'
import { setting, type Webhook, type WebhookCall, withWebhooks } from '../webhook-server.js'

const source = 'k8s.io/apiserver pkg/admission/plugin/webhook @ v0.36.3'
const namesOf = (calls: readonly WebhookCall[]) => calls.map(({ webhook }) => webhook)
const patching = (...steps: object[]) => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(steps)).toString('base64'),
})
const onRule = (group: string, version: string, resource: string) => ({
  rules: [{ apiGroups: [group], apiVersions: [version], operations: ['*'], resources: [resource] }],
})

/** Details of admission webhooks: what they are sent, what their answers may contain, and which writes they see. */
export const admissionDetails: CaseGroup = {
  name: 'admission-details',
  cases: [
    {
      name: 'a patch has the options of an update, and a delete those of its body or query',
      source,
      async run(client) {
        await withWebhooks(
          client,
          [{ name: 'all', type: 'Validating', settings: onRule('', 'v1', 'configmaps') }],
          async (calls) => {
            const optionsOf = async (run: () => Promise<unknown>) => {
              const before = calls.length
              await run()
              const { operation, options } = (calls[before]?.request ?? {}) as {
                operation?: string
                options?: object
              }
              return { operation, ...options }
            }
            const apiVersion = 'meta.k8s.io/v1'
            await client.post('configmaps', { metadata: { name: 'a' } })
            const { metadata } = await client.make('configmaps', { metadata: { name: 'b' } })
            client.expect.same(
              await optionsOf(() =>
                client.patch('configmaps/a?fieldManager=m', 'merge', { data: { a: '1' } }),
              ),
              { operation: 'UPDATE', kind: 'UpdateOptions', apiVersion, fieldManager: 'm' },
            )
            const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }
            client.expect.same(
              await optionsOf(() => client.patch('configmaps/c?fieldManager=m&force=true', 'apply', applied)),
              { operation: 'CREATE', kind: 'CreateOptions', apiVersion, fieldManager: 'm' },
            )
            client.expect.same(
              await optionsOf(() =>
                client.delete('configmaps/a?gracePeriodSeconds=3&propagationPolicy=Background'),
              ),
              {
                operation: 'DELETE',
                kind: 'DeleteOptions',
                apiVersion,
                gracePeriodSeconds: 3,
                propagationPolicy: 'Background',
              },
            )
            const preconditions = { uid: metadata.uid }
            const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions }
            client.expect.same(await optionsOf(() => client.delete('configmaps/b', body)), {
              operation: 'DELETE',
              kind: 'DeleteOptions',
              apiVersion,
              preconditions,
            })
          },
        )
      },
    },
    {
      name: 'a validating webhook sees the generated name and the UID, a mutating one does not',
      source,
      async run(client) {
        const hooks: Webhook[] = [
          { name: 'early', type: 'Mutating' },
          { name: 'late', type: 'Validating' },
        ]
        await withWebhooks(client, hooks, async (calls) => {
          const { body } = await client.post('configmaps', { metadata: { generateName: 'g-' } })
          const { name, uid, creationTimestamp } = body.metadata
          const [early, late] = calls.map(({ request }) => request)
          client.expect.has(early, {
            name: undefined,
            object: { metadata: { name: undefined, uid: undefined } },
          })
          client.expect.has(late, { name, object: { metadata: { name, uid, creationTimestamp } } })
        })
      },
    },
    {
      name: 'a webhook gets the resource, the kind, the options and the user of a request',
      source,
      async run(client) {
        await withWebhooks(client, [{ name: 'sees', type: 'Validating' }], async (calls) => {
          await client.post('configmaps?fieldManager=me', { metadata: { name: 'a' } })
          const kind = { group: '', version: 'v1', kind: 'ConfigMap' }
          const resource = { group: '', version: 'v1', resource: 'configmaps' }
          client.expect.has(calls[0]?.request, {
            kind,
            resource,
            requestKind: kind,
            requestResource: resource,
            subResource: undefined,
            name: 'a',
            namespace: client.namespace,
            oldObject: null,
            object: { kind: 'ConfigMap', apiVersion: 'v1' },
            options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' },
          })
          await client.delete('configmaps/a')
          client.expect.has(calls[1]?.request, { object: null, options: { kind: 'DeleteOptions' } })
        })
      },
    },
    {
      name: 'a field that a mutating webhook sets has no owner',
      source,
      async run(client) {
        const sets: Webhook = { name: 'sets', type: 'Mutating', reply: () => setting('y', '2') }
        await withWebhooks(client, [sets], async () => {
          const { body } = await client.post('configmaps', { metadata: { name: 'a' }, data: { x: '1' } })
          const [own] = body.metadata.managedFields ?? []
          client.expect.same(Object(own).fieldsV1, { 'f:data': { '.': {}, 'f:x': {} } })
          const changed = await client.patch('configmaps/a?fieldManager=b', 'merge', { data: { x: '3' } })
          client.expect.has(changed.body, { data: { x: '3', y: '2' } })
          const owned = (changed.body.metadata.managedFields ?? []).map((each) => JSON.stringify(each))
          client.expect.same(owned.join().includes('f:y'), false)
        })
      },
    },
    {
      name: 'webhooks see the writes of an apply as a create and an update',
      source,
      async run(client) {
        const sets: Webhook = { name: 'sets', type: 'Mutating', reply: () => setting('y', '2') }
        await withWebhooks(client, [sets], async (calls) => {
          const wanted = (x: string) => ({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'a' },
            data: { x },
          })
          const made = await client.patch('configmaps/a?fieldManager=m', 'apply', wanted('1'))
          client.expect.answer(made, 201, { data: { x: '1', y: '2' } })
          const changed = await client.patch('configmaps/a?fieldManager=m', 'apply', wanted('2'))
          client.expect.answer(changed, 200, { data: { x: '2', y: '2' } })
          client.expect.same(
            calls.map(({ request }) => request.operation),
            ['CREATE', 'UPDATE'],
          )
          const [entry, ...others] = changed.body.metadata.managedFields ?? []
          client.expect.has(
            [Object(entry).operation, Object(entry).fieldsV1, others],
            ['Apply', { 'f:data': { 'f:x': {} } }, []],
          )
        })
      },
    },
    {
      name: 'a write is made again if its object changes while a webhook is asked',
      source,
      async run(client) {
        let isFirst = true
        const reply: Webhook['reply'] = async ({ object }) => {
          if (object?.data?.x !== '2' || !isFirst) return {}
          isFirst = false
          await client.patch('configmaps/a', 'merge', { data: { z: '1' } })
          return {}
        }
        await client.make('configmaps', { metadata: { name: 'a' }, data: { x: '1' } })
        await withWebhooks(client, [{ name: 'meddles', type: 'Validating', reply }], async (calls) => {
          const answer = await client.patch('configmaps/a', 'merge', { data: { x: '2' } })
          client.expect.answer(answer, 200, { data: { x: '2', z: '1' } })
          const last = calls.at(-1)?.request
          client.expect.has(
            [last?.oldObject?.data, last?.object?.data],
            [
              { x: '1', z: '1' },
              { x: '2', z: '1' },
            ],
          )
        })
      },
    },
    {
      name: 'an invalid answer of a webhook is a failure',
      source,
      async run(client) {
        const answers: [name: string, reply: object, message: RegExp][] = [
          [
            'other',
            { uid: 'x' },
            /received invalid webhook response: expected response\.uid="[-\da-f]+", got "x"$/,
          ],
          ['patch', setting('y', '2'), /response: validating webhook may not return response\.patch$/],
          ['type', { patchType: 'JSONPatch' }, /validating webhook may not return response\.patchType$/],
        ]
        for (const [name, answer, message] of answers) {
          await withWebhooks(client, [{ name, type: 'Validating', reply: () => answer }], async () => {
            const { status, body } = await client.post('configmaps', { metadata: { name: 'a' } })
            client.expect.same(status, 500)
            client.expect.has(body, { reason: 'InternalError', message })
            client.expect.has(body, { details: { causes: [{ message, reason: undefined }] } })
          })
        }
      },
    },
    {
      name: 'a mutating webhook must say the type of its patch, and the patch must apply',
      source,
      async run(client) {
        const { patch } = setting('y', '2') as { patch: string }
        const answers: [name: string, reply: object, message: RegExp][] = [
          ['untyped', { patch }, /webhook returned response\.patch but not response\.patchType$/],
          [
            'empty',
            { patchType: 'JSONPatch' },
            /webhook returned response\.patchType but not response\.patch$/,
          ],
          ['merge', { patch, patchType: 'Merge' }, /: unsupported patch type "Merge"$/],
        ]
        for (const [name, answer, message] of answers) {
          await withWebhooks(client, [{ name, type: 'Mutating', reply: () => answer }], async () => {
            const { status, body } = await client.post('configmaps', { metadata: { name: 'a' } })
            client.expect.same(status, 500)
            client.expect.has(body, { reason: 'InternalError', message })
          })
        }
        const settings = { failurePolicy: 'Ignore' }
        const reply = () => patching({ op: 'remove', path: '/data/none' })
        await withWebhooks(client, [{ name: 'bad', type: 'Mutating', reply, settings }], async () => {
          const { status } = await client.post('configmaps', { metadata: { name: 'a' }, data: { x: '1' } })
          client.expect.same(status, 500)
        })
      },
    },
    {
      name: 'a webhook gets the first version of reviews that it lists and the server knows',
      source: 'k8s.io/apiserver pkg/admission/plugin/webhook/request/admissionreview.go @ v0.36.3',
      async run(client) {
        const listing = (...versions: string[]) => ({ admissionReviewVersions: versions })
        const review = { apiVersion: 'admission.k8s.io/v1beta1' }
        const bare = { apiVersion: undefined, kind: undefined }
        const { patch } = setting('y', '2') as { patch: string }
        const hooks: Webhook[] = [
          { name: 'a', type: 'Mutating', review, settings: listing('v1beta1', 'v1') },
          { name: 'b', type: 'Mutating', settings: listing('v3', 'v1', 'v1beta1') },
          {
            name: 'c',
            type: 'Mutating',
            reply: () => ({ uid: 'x', patch }),
            review: bare,
            settings: listing('v1beta1'),
          },
          { name: 'd', type: 'Validating', reply: () => ({ patch }), review, settings: listing('v1beta1') },
        ]
        await withWebhooks(client, hooks, async (calls) => {
          const { status, body } = await client.post('configmaps', {
            metadata: { name: 'a' },
            data: { x: '1' },
          })
          client.expect.has({ status, body }, { status: 201, body: { data: { y: '2' } } })
          const versions = calls.map(({ webhook, apiVersion }) => [webhook, apiVersion.split('/')[1]])
          client.expect.same(Object.fromEntries(versions), {
            a: 'v1beta1',
            b: 'v1',
            c: 'v1beta1',
            d: 'v1beta1',
          })
        })
      },
    },
    {
      name: 'an answer in another version than that of the review is a failure',
      source: 'k8s.io/apiserver pkg/util/webhook/client.go @ v0.36.3',
      async run(client) {
        for (const [sent, answered] of [
          ['v1', 'v1beta1'],
          ['v1beta1', 'v1'],
        ] as const) {
          const review = { apiVersion: `admission.k8s.io/${answered}` }
          const settings = { admissionReviewVersions: [sent] }
          await withWebhooks(client, [{ name: sent, type: 'Validating', review, settings }], async () => {
            const { status, body } = await client.post('configmaps', { metadata: { name: 'a' } })
            const message = new RegExp(
              `failed to call webhook: converting \\(${answered}\\.AdmissionReview\\) to \\(${sent}\\.AdmissionReview\\): unknown conversion$`,
            )
            client.expect.has({ status, body }, { status: 500, body: { message } })
          })
        }
      },
    },
    {
      name: 'an object selector does not match the options of a connection, or a body without labels',
      source: 'k8s.io/apiserver pkg/admission/plugin/webhook/predicates/object/matcher.go @ v0.36.3',
      async run(client) {
        const settings = (selector: object) => ({
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods/*'] }],
          objectSelector: selector,
        })
        const labelled = { matchExpressions: [{ key: 'call', operator: 'Exists' }] }
        const unlabelled = { matchExpressions: [{ key: 'call', operator: 'DoesNotExist' }] }
        const hooks: Webhook[] = [
          { name: 'labelled', type: 'Validating', settings: settings(labelled) },
          { name: 'unlabelled', type: 'Validating', settings: settings(unlabelled) },
        ]
        const spec = { containers: [{ name: 'c', image: 'i' }] }
        await client.make('pods', { metadata: { name: 'a' }, spec })
        await withWebhooks(client, hooks, async (calls) => {
          const answer = await client.post('pods/a/exec?command=ls', '')
          client.expect.answer(answer, 400, { message: 'pod a does not have a host assigned' })
          client.expect.same(namesOf(calls), [])
          const eviction = { apiVersion: 'policy/v1', kind: 'Eviction' }
          client.expect.answer(await client.post('pods/a/eviction', eviction), 400, {
            message: 'name in URL does not match name in Eviction object',
          })
          const named = { ...eviction, metadata: { name: 'a' } }
          calls.length = 0
          client.expect.answer(await client.post('pods/a/eviction', named), 201)
          client.expect.same(namesOf(calls), ['unlabelled'])
        })
      },
    },
    {
      name: 'an answer with a member of a wrong type is a failure, which the failure policy may ignore',
      source: 'k8s.io/api admission/v1/types.go @ v0.36.3',
      async run(client) {
        const type = (path: string, go: string, form: string) =>
          `json: cannot unmarshal ${form} into Go struct field ${path} of type ${go}`
        const answers: [name: string, reply: object, why: string][] = [
          ['text', { allowed: 'true' }, type('AdmissionResponse.response.allowed', 'bool', 'string')],
          [
            'code',
            { allowed: false, status: { code: '403' } },
            type('Status.response.status.code', 'int32', 'string'),
          ],
          ['warnings', { warnings: [1] }, type('AdmissionResponse.response.warnings', 'string', 'number')],
          ['patch', { patch: {} }, type('AdmissionResponse.response.patch', '[]uint8', 'object')],
          ['uid', { uid: 1 }, type('AdmissionResponse.response.uid', 'types.UID', 'number')],
          ['status', { status: 'no' }, type('AdmissionResponse.response.status', 'v1.Status', 'string')],
          ['base64', { patch: 'a!' }, 'illegal base64 data at input byte 1'],
          [
            'annotations',
            { auditAnnotations: 'x' },
            type('AdmissionResponse.response.auditAnnotations', 'map[string]string', 'string'),
          ],
          [
            'annotation',
            { auditAnnotations: { a: 1 } },
            type('AdmissionResponse.response.auditAnnotations', 'string', 'number'),
          ],
          [
            'details',
            { status: { details: 'x' } },
            type('Status.response.status.details', 'v1.StatusDetails', 'string'),
          ],
          [
            'reason',
            { status: { details: { causes: [{ reason: 1 }] } } },
            type('StatusCause.response.status.details.causes.reason', 'v1.CauseType', 'number'),
          ],
          [
            'metadata',
            { status: { metadata: { resourceVersion: 1 } } },
            type('ListMeta.response.status.metadata.resourceVersion', 'string', 'number'),
          ],
          ['kind', { status: { kind: 5 } }, type('Status.response.status.TypeMeta.kind', 'string', 'number')],
          ['long', { uid: 2 ** 64 }, type('AdmissionResponse.response.uid', 'types.UID', 'number')],
          [
            'int32',
            { status: { code: 2 ** 64 } },
            type('Status.response.status.code', 'int32', 'number 18446744073709552000'),
          ],
        ]
        for (const [name, answer, why] of answers) {
          await withWebhooks(client, [{ name, type: 'Validating', reply: () => answer }], async () => {
            const { status, body } = await client.post('configmaps', { metadata: { name: 'a' } })
            client.expect.same(
              [name, status, body.message],
              [
                name,
                500,
                `Internal error occurred: failed calling webhook "${name}.${client.namespace}.example.com": failed to call webhook: ${why}`,
              ],
            )
          })
        }
        const ignored = { failurePolicy: 'Ignore' }
        const reply = () => ({ allowed: 'false' })
        await withWebhooks(
          client,
          [{ name: 'a', type: 'Validating', reply, settings: ignored }],
          async () => {
            client.expect.answer(await client.post('configmaps', { metadata: { name: 'a' } }), 201)
          },
        )
      },
    },
    {
      name: 'a warning that is null counts as empty, and a status that is null as none',
      source: 'k8s.io/apiserver pkg/endpoints/filters/warning.go @ v0.36.3, AddWarning',
      async run(client) {
        const answer = { allowed: false, status: { status: null, code: 403 }, warnings: [null, '', 'care'] }
        await withWebhooks(client, [{ name: 'no', type: 'Validating', reply: () => answer }], async () => {
          const { headers, body } = await client.post('configmaps', { metadata: { name: 'a' } })
          client.expect.same([headers.warning, body.status, body.code], ['299 - "care"', 'Failure', 403])
        })
      },
    },
    {
      name: 'a denial without an explanation is a 400',
      source,
      async run(client) {
        const no: Webhook = { name: 'no', type: 'Mutating', reply: () => ({ allowed: false }) }
        await withWebhooks(client, [no], async () => {
          client.expect.refused(await client.post('configmaps', { metadata: { name: 'a' } }), {
            code: 400,
            message: `admission webhook "no.${client.namespace}.example.com" denied the request without explanation`,
          })
        })
      },
    },
    {
      name: 'the details of a denial reach the client',
      source,
      async run(client) {
        const causes = [{ reason: 'FieldValueInvalid', message: 'bad', field: 'data.x' }]
        const status = { code: 422, reason: 'Invalid', message: 'bad', details: { causes } }
        const no: Webhook = { name: 'no', type: 'Validating', reply: () => ({ allowed: false, status }) }
        await withWebhooks(client, [no], async () => {
          client.expect.refused(await client.post('configmaps', { metadata: { name: 'a' } }), {
            ...status,
            message: `admission webhook "no.${client.namespace}.example.com" denied the request: bad`,
          })
        })
      },
    },
    {
      name: 'a match condition that fails follows the failure policy, unless another does not hold',
      source,
      async run(client) {
        const failing = { name: 'fails', expression: 'object.data.missing == "x"' }
        const unmet = { name: 'unmet', expression: 'request.operation == "DELETE"' }
        const named = (name: string, settings: object): Webhook => ({ name, type: 'Validating', settings })
        const ignored = named('ignored', { failurePolicy: 'Ignore', matchConditions: [failing] })
        const skipped = named('skipped', { matchConditions: [failing, unmet] })
        await withWebhooks(client, [ignored, skipped], async (calls) => {
          const answer = await client.post('configmaps', { metadata: { name: 'a' }, data: { x: '1' } })
          client.expect.answer(answer, 201)
          client.expect.same(namesOf(calls), [])
        })
        await withWebhooks(client, [named('fatal', { matchConditions: [failing] })], async (calls) => {
          const { status, body } = await client.post('configmaps', {
            metadata: { name: 'b' },
            data: { x: '1' },
          })
          client.expect.same(status, 403)
          client.expect.has(body, {
            reason: 'Forbidden',
            message: /^configmaps "b" is forbidden: .*no such key/,
          })
          client.expect.same(namesOf(calls), [])
        })
      },
    },
    {
      name: 'match conditions see numbers, the user and the old object',
      source,
      async run(client) {
        const on = (name: string, expression: string): Webhook => ({
          name,
          type: 'Validating',
          settings: {
            ...onRule('apps', 'v1', 'deployments'),
            matchConditions: [{ name: 'c', expression }],
          },
        })
        const hooks = [
          on('more', 'oldObject != null && object.spec.replicas > oldObject.spec.replicas'),
          on('user', 'request.userInfo.username.startsWith("nobody")'),
          on('label', '!has(object.metadata.labels) || !("x" in object.metadata.labels)'),
        ]
        const template = {
          metadata: { labels: { a: 'b' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        }
        const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template }
        await client.make('deployments', { metadata: { name: 'd', labels: { x: 'y' } }, spec })
        await withWebhooks(client, hooks, async (calls) => {
          await client.patch('deployments/d?dryRun=All', 'merge', { spec: { replicas: 2 } })
          await client.patch('deployments/d?dryRun=All', 'merge', { metadata: { labels: { x: null } } })
          client.expect.same(namesOf(calls), ['more', 'label'])
        })
      },
    },
    {
      name: 'a webhook for one version gets an object of another in its version, unless it asks for exact matches',
      source,
      async run(client) {
        const settings = onRule('autoscaling', 'v1', 'horizontalpodautoscalers')
        const reply = () => patching({ op: 'replace', path: '/spec/maxReplicas', value: 7 })
        const hooks: Webhook[] = [
          { name: 'equal', type: 'Mutating', settings, reply },
          { name: 'exact', type: 'Mutating', settings: { ...settings, matchPolicy: 'Exact' } },
        ]
        await withWebhooks(client, hooks, async (calls) => {
          const scaleTargetRef = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }
          const target = { type: 'Utilization', averageUtilization: 50 }
          const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }]
          const spec = { scaleTargetRef, maxReplicas: 3, metrics }
          const answer = await client.post('horizontalpodautoscalers', { metadata: { name: 'h' }, spec })
          client.expect.answer(answer, 201, { spec: { maxReplicas: 7, metrics } })
          client.expect.same(namesOf(calls), ['equal'])
          client.expect.has(calls[0]?.request, {
            kind: { version: 'v1' },
            requestKind: { version: 'v2' },
            object: { apiVersion: 'autoscaling/v1', spec: { targetCPUUtilizationPercentage: 50 } },
          })
        })
      },
    },
    {
      name: 'a webhook for scale gets Scales',
      source,
      async run(client) {
        const settings = onRule('apps', 'v1', 'deployments/scale')
        const reply = () => patching({ op: 'replace', path: '/spec/replicas', value: 5 })
        const template = {
          metadata: { labels: { a: 'b' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        }
        const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template }
        await client.make('deployments', { metadata: { name: 'd' }, spec })
        const hooks: Webhook[] = [
          { name: 'raises', type: 'Mutating', settings, reply },
          { name: 'sees', type: 'Validating', settings },
        ]
        await withWebhooks(client, hooks, async (calls) => {
          const answer = await client.patch('deployments/d/scale', 'merge', { spec: { replicas: 3 } })
          client.expect.answer(answer, 200, { kind: 'Scale', spec: { replicas: 5 } })
          client.expect.has(await client.read('deployments/d'), { spec: { replicas: 5 } })
          const asked = { operation: 'UPDATE', subResource: 'scale', name: 'd', kind: { kind: 'Scale' } }
          const states = (replicas: number) => ({
            object: { kind: 'Scale', spec: { replicas } },
            oldObject: { kind: 'Scale', spec: { replicas: 1 } },
          })
          client.expect.has(calls[0]?.request, { ...asked, ...states(3) })
          client.expect.has(calls[1]?.request, { ...asked, ...states(5) })
        })
      },
    },
    {
      name: 'a webhook for the status changes only the status',
      source,
      async run(client) {
        const settings = onRule('', 'v1', 'resourcequotas/status')
        const reply = () =>
          patching(
            { op: 'add', path: '/status/used', value: { pods: '1' } },
            { op: 'add', path: '/spec/hard/pods', value: '9' },
          )
        await client.make('resourcequotas', { metadata: { name: 'q' }, spec: { hard: { pods: '2' } } })
        await withWebhooks(client, [{ name: 'counts', type: 'Mutating', settings, reply }], async (calls) => {
          const status = { hard: { pods: '2' } }
          const answer = await client.patch('resourcequotas/q/status', 'merge', { status })
          const kept = { hard: { pods: '2' } }
          client.expect.answer(answer, 200, { spec: kept, status: { ...kept, used: { pods: '1' } } })
          client.expect.has(calls[0]?.request, { operation: 'UPDATE', subResource: 'status' })
        })
      },
    },
    {
      name: 'a webhook may refuse to delete one object of a collection',
      source,
      async run(client) {
        const reply: Webhook['reply'] = ({ oldObject }) =>
          oldObject?.data?.keep === 'yes' ? { allowed: false, status: { message: 'kept' } } : {}
        await client.make('configmaps', {
          metadata: { name: 'kept', labels: { l: 'm' } },
          data: { keep: 'yes' },
        })
        await withWebhooks(client, [{ name: 'keeps', type: 'Validating', reply }], async (calls) => {
          const answer = await client.delete('configmaps?labelSelector=l=m')
          client.expect.answer(answer, 400, { message: /denied the request: kept$/ })
          client.expect.has(calls[0]?.request, { operation: 'DELETE', name: undefined })
          client.expect.answer(await client.get('configmaps/kept'), 200)
        })
      },
    },
    {
      name: 'a webhook may refuse a connection to a pod',
      source,
      async run(client) {
        const no: Webhook = {
          name: 'no',
          type: 'Validating',
          settings: onRule('', 'v1', 'pods/exec'),
          reply: () => ({ allowed: false }),
        }
        await withWebhooks(client, [no], async (calls) => {
          const answer = await client.post('pods/a/exec?command=ls&command=-l&container=c&stdin=true', '')
          client.expect.answer(answer, 400, { message: /denied the request without explanation$/ })
          client.expect.has(calls[0]?.request, {
            operation: 'CONNECT',
            name: 'a',
            subResource: 'exec',
            kind: { group: '', version: 'v1', kind: 'PodExecOptions' },
            oldObject: null,
            options: null,
          })
          const object = { kind: 'PodExecOptions', apiVersion: 'v1', stdin: true, container: 'c' }
          client.expect.same(calls[0]?.request.object, { ...object, command: ['ls', '-l'] })
        })
      },
    },
    {
      name: 'a webhook may refuse an access review',
      source,
      async run(client) {
        const no: Webhook = {
          name: 'no',
          type: 'Validating',
          settings: onRule('authorization.k8s.io', 'v1', 'localsubjectaccessreviews'),
          reply: () => ({ allowed: false }),
        }
        const { namespace } = client
        await withWebhooks(client, [no], async (calls) => {
          const resourceAttributes = { namespace, verb: 'get', resource: 'pods' }
          const answer = await client.post('localsubjectaccessreviews', {
            spec: { user: 'u', resourceAttributes },
          })
          client.expect.answer(answer, 400, { message: /denied the request without explanation$/ })
          client.expect.has(calls[0]?.request, {
            operation: 'CREATE',
            kind: { kind: 'LocalSubjectAccessReview' },
            object: { spec: { user: 'u' } },
          })
        })
      },
    },
    {
      name: 'a custom resource is pruned, completed and validated after a webhook',
      source,
      async run(client) {
        const spec = {
          type: 'object',
          properties: {
            size: { type: 'integer', maximum: 5 },
            engine: { type: 'object', properties: { fuel: { type: 'string', default: 'diesel' } } },
          },
        }
        const cars = await define(client, { spec })
        const settings = onRule(cars.group, 'v1', 'cars')
        const reply: Webhook['reply'] = ({ name }) =>
          name === 'big'
            ? patching({ op: 'replace', path: '/spec/size', value: 9 })
            : patching(
                { op: 'add', path: '/spec/engine', value: {} },
                { op: 'add', path: '/spec/unknown', value: 1 },
              )
        await withWebhooks(client, [{ name: 'builds', type: 'Mutating', settings, reply }], async () => {
          const made = await cars.create('a', { spec: { size: 1 } })
          client.expect.answer(made, 201)
          client.expect.same(made.body.spec, { size: 1, engine: { fuel: 'diesel' } })
          const big = await cars.create('big', { spec: { size: 1 } })
          client.expect.answer(big, 422, { details: { causes: [{ field: 'spec.size' }] } })
        })
      },
    },
  ],
}
