// Tests definitions with schemas that are deeper than the call stack.
import t from 'tap'
import { protobufBody, protobufMessage, protobufType } from '../test/conformance/protobuf-body.js'
import { createApiServer } from './api-server.js'

const server = await createApiServer()
t.teardown(() => server.close())

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

async function post(type: string, body: string | Uint8Array) {
  const answer = await server.handle({ method: 'POST', path, headers: { 'content-type': type }, body })
  const { message } = JSON.parse(Buffer.from(answer.body as Uint8Array).toString()) as { message?: string }
  return { status: answer.status, message }
}

/** A schema inside of the member `not` of another, so many times. */
function encodedSchema(levels: number): Buffer {
  let size = 0
  const heads = Array.from({ length: levels }, () => {
    const length = [size]
    for (let last = size; last > 127; last = length.at(-1) ?? 0) {
      length.splice(-1, 1, (last & 127) | 128, Math.floor(last / 128))
    }
    const head = Buffer.from([0xe2, 0x01, ...length])
    size += head.byteLength
    return head
  })
  return Buffer.concat(heads.reverse())
}

function encodedDefinition(levels: number): Buffer {
  const names = protobufMessage([1, 'deeps'], [4, 'Deep'])
  const version = protobufMessage([1, 'v1'], [2, 1], [3, 1], [4, protobufMessage([1, encodedSchema(levels)])])
  const spec = protobufMessage([1, 'example.com'], [3, names], [4, 'Namespaced'], [7, version])
  const metadata = protobufMessage([1, 'deeps.example.com'])
  const message = protobufMessage([1, metadata], [2, spec])
  return protobufBody('apiextensions.k8s.io/v1', 'CustomResourceDefinition', message)
}

function writtenDefinition(levels: number): string {
  const schema = `${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}`
  const version = `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}`
  const names = '{"plural":"deeps","kind":"Deep"}'
  return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
    "metadata":{"name":"deeps.example.com"},
    "spec":{"group":"example.com","scope":"Namespaced","names":${names},"versions":[${version}]}}`
}

void t.test('a schema that is too deep is a bad request', async (t) => {
  for (const levels of [2000, 9000]) {
    const refusal = { status: 400, message: /exceeded max depth$/ }
    t.match(await post(protobufType, encodedDefinition(levels)), {
      ...refusal,
      message: /exceeded max depth/,
    })
    t.match(await post('application/json', writtenDefinition(levels)), refusal)
  }
  t.match(await post(protobufType, encodedDefinition(300_000)), { status: 400 })
})

void t.test('a schema of some hundred levels is read', async (t) => {
  const why = /openAPIV3Schema.type: Required value: must not be empty at the root/
  t.match(await post(protobufType, encodedDefinition(900)), { status: 422, message: why })
  t.match(await post('application/json', writtenDefinition(900)), { status: 422, message: why })
})
