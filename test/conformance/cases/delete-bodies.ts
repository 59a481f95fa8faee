import type { Case, CaseGroup } from '../case.js'
import type { CaseClient, Payload } from '../case-client.js'
import type { Answer } from '../cluster-under-test.js'
import { define } from '../custom-resource.js'
import { protobufBody, protobufMessage, protobufType } from '../protobuf-body.js'

const decoding = 'k8s.io/apiserver pkg/endpoints/handlers/delete.go @ v0.36.3'
const yaml = 'application/yaml'

/** Deletes a ConfigMap that has a finalizer, with a body of some type. */
async function deleteKept(client: CaseClient, type: string, body: Payload): Promise<Answer> {
  await client.make('configmaps', { metadata: { name: 'a', finalizers: ['example.com/kept'] } })
  return client.delete('configmaps/a', body, { headers: { 'content-type': type } })
}

/** A delete with foreground deletion in its body, which is visible in the object's finalizers. */
function readsPolicy(name: string, type: string, body: Payload): Case {
  return {
    name,
    source: decoding,
    async run(client) {
      const finalizers = ['example.com/kept', 'foregroundDeletion']
      client.expect.answer(await deleteKept(client, type, body), 200, { metadata: { finalizers } })
    },
  }
}

/** A delete with an unreadable body; the object is not changed. */
function refusesBody(
  name: string,
  type: string,
  { body, message }: { body: Payload; message: string },
): Case {
  return {
    name,
    source: decoding,
    async run(client) {
      client.expect.refused(await deleteKept(client, type, body), {
        code: 400,
        reason: 'BadRequest',
        message,
      })
      client.expect.has(await client.read('configmaps/a'), { metadata: { deletionTimestamp: undefined } })
    },
  }
}

const foreground = protobufMessage([4, 'Foreground'])
const unregistered = (kind: string) =>
  `no kind "${kind}" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"`

/** The formats of the options of a delete. */
export const deleteBodies: CaseGroup = {
  name: 'delete-bodies',
  cases: [
    readsPolicy('options may be protobuf', protobufType, protobufBody('v1', 'DeleteOptions', foreground)),
    readsPolicy(
      'options in protobuf are of any group',
      protobufType,
      protobufBody('meta.k8s.io/v1', 'DeleteOptions', foreground),
    ),
    readsPolicy('options in protobuf may omit their kind', protobufType, protobufBody('', '', foreground)),
    readsPolicy(
      'an unknown field of options in protobuf is skipped',
      protobufType,
      protobufBody('v1', 'DeleteOptions', protobufMessage([99, 'x'], [4, 'Foreground'])),
    ),
    readsPolicy(
      'options may be YAML',
      yaml,
      'kind: DeleteOptions\napiVersion: v1\npropagationPolicy: Foreground\n',
    ),
    readsPolicy('options in YAML may omit their kind', yaml, 'propagationPolicy: Foreground'),
    readsPolicy(
      'options in JSON may have a null for their kind',
      'application/json',
      '{"kind":null,"apiVersion":null,"propagationPolicy":"Foreground"}',
    ),
    readsPolicy(
      'options in JSON may have an empty kind',
      'application/json',
      '{"kind":"","apiVersion":"","propagationPolicy":"Foreground"}',
    ),
    {
      name: 'preconditions in protobuf are kept',
      source: decoding,
      async run(client) {
        const options = protobufMessage([2, protobufMessage([1, 'another'])])
        const answer = await deleteKept(client, protobufType, protobufBody('v1', 'DeleteOptions', options))
        client.expect.answer(answer, 409, {
          message: /the UID in the precondition \(another\) does not match/,
        })
      },
    },
    {
      name: 'a grace period in protobuf is a number, and a dry run a list',
      source: decoding,
      async run({ make, delete: remove, get, expect }) {
        await make('pods', {
          metadata: { name: 'a' },
          spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
        })
        const body = protobufBody('v1', 'DeleteOptions', protobufMessage([1, 300], [5, 'All']))
        const answer = await remove('pods/a', body, { headers: { 'content-type': protobufType } })
        expect.answer(answer, 200, { metadata: { deletionGracePeriodSeconds: 300 } })
        expect.has((await get('pods/a')).body, { metadata: { deletionTimestamp: undefined } })
      },
    },
    {
      name: 'a collection is deleted with options in protobuf and in YAML',
      source: decoding,
      async run({ make, delete: remove, get, expect }) {
        const dryRun = protobufBody('v1', 'DeleteOptions', protobufMessage([5, 'All']))
        await make('configmaps', { metadata: { name: 'a', labels: { app: 'a' } } })
        for (const [type, body] of [
          [protobufType, dryRun],
          [yaml, 'dryRun: [All]'],
        ] as const) {
          const answer = await remove('configmaps?labelSelector=app=a', body, {
            headers: { 'content-type': type },
          })
          expect.answer(answer, 200, { items: [{ metadata: { name: 'a' } }] })
          expect.answer(await get('configmaps/a'), 200)
        }
        const none = protobufBody('v1', 'DeleteOptions')
        await remove('configmaps?labelSelector=app=a', none, { headers: { 'content-type': protobufType } })
        expect.notFound(await get('configmaps/a'), 'configmaps', 'a')
      },
    },
    {
      name: 'a custom resource is deleted with options in protobuf',
      source: decoding,
      async run(client) {
        const car = await define(client)
        await car.make('a', {})
        const options = { headers: { 'content-type': protobufType } }
        const body = protobufBody('v1', 'DeleteOptions', foreground)
        const answer = await client.delete(car.path('a'), body, options)
        client.expect.answer(answer, 200, { metadata: { finalizers: ['foregroundDeletion'] } })
      },
    },
    {
      name: 'a body of another type is rejected',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/negotiation/errors.go @ v0.36.3',
      async run(client) {
        client.expect.refused(await deleteKept(client, 'text/plain', '{}'), {
          code: 415,
          reason: 'UnsupportedMediaType',
          message:
            'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
        })
      },
    },
    {
      name: 'the type of an empty body is ignored',
      source: decoding,
      async run(client) {
        client.expect.answer(await deleteKept(client, 'text/plain', ''), 200)
      },
    },
    refusesBody('protobuf without its magic number is rejected', protobufType, {
      body: '{}',
      message: 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    }),
    refusesBody('protobuf that ends after its magic number is rejected', protobufType, {
      body: 'k8s\0',
      message: 'empty body',
    }),
    refusesBody('protobuf that ends early is rejected', protobufType, {
      body: protobufBody('v1', 'DeleteOptions', Buffer.from([0xff])),
      message: 'unexpected EOF',
    }),
    refusesBody('another kind in protobuf is rejected', protobufType, {
      body: protobufBody('v1', 'ConfigMap'),
      message: unregistered('ConfigMap'),
    }),
    refusesBody('another kind in YAML is rejected', yaml, {
      body: 'kind: ConfigMap\napiVersion: v1',
      message: unregistered('ConfigMap'),
    }),
    refusesBody('a list in YAML is rejected', yaml, {
      body: '- a',
      message:
        'couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    }),
    refusesBody('a member of another type in YAML is rejected', yaml, {
      body: 'gracePeriodSeconds: x',
      message:
        'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    }),
    refusesBody('a long number in YAML is a number', yaml, {
      body: 'propagationPolicy: 12345678901234567890',
      message:
        'json: cannot unmarshal number into Go struct field DeleteOptions.propagationPolicy of type v1.DeletionPropagation',
    }),
  ],
}
