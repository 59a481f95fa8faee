import type { z } from 'zod'
import * as zod from 'zod'
import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { defineKind } from '../../sdk/operator/kind/define/define-kind.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import type { Answer, ClusterUnderTest } from '../conformance/cluster-under-test.js'
import { until } from '../until.js'

/** A kind with a field for each schema, which an API server serves. */
export interface FieldKind {
  /** Sends an object with one field, as a trial. */
  send(field: string, value: unknown): Promise<Answer>
}

const json = { 'content-type': 'application/json' }

/**
 * Defines one kind with a field for each schema. One kind for many schemas, because a real API server needs a while to
 * serve a new one. Throws with the server's causes if it refuses the definition.
 */
export async function fieldKind(
  cluster: ClusterUnderTest,
  group: string,
  fields: Readonly<Record<string, z.ZodType>>,
): Promise<FieldKind> {
  const spec = zod.object(
    Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, absent(one)])),
  )
  const kind = defineKind({ group, version: 'v1', kind: 'Thing', spec })
  const call = (method: string, path: string, body?: unknown) =>
    cluster.request({
      method,
      path,
      headers: json,
      body: body === undefined ? undefined : stringifyJson(body),
    })
  const made = await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crdOf(kind))
  if (made.status !== 201) throw new Error(`the definition was refused: ${made.text}`)
  const path = `/apis/${group}/v1/namespaces/default/things`
  const apiVersion = `${group}/v1`
  await until(async () => (await call('GET', path)).status === 200)
  return {
    send: (field, value) => {
      const object = { apiVersion, kind: 'Thing', metadata: { name: 'one' }, spec: { [field]: value } }
      return call('POST', `${path}?dryRun=All`, object)
    },
  }
}

/** Lets a field be left out, unless its default does so already. */
const absent = (schema: z.ZodType) => (schema._zod.optin === undefined ? schema.optional() : schema)
