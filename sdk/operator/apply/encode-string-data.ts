import { isJsonObject } from '../../engine/kube/json-object.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'

interface SecretFields {
  data?: unknown
  stringData?: unknown
}

/**
 * A Secret as an API server stores it: `stringData` is encoded into `data`, and replaces members of it. An API server
 * never shows `stringData`, so a changed value would not be noticed, and a value that the intent no longer has would
 * stay. Objects of other kinds, and Secrets with invalid values, are returned unchanged.
 */
export function encodeStringData<T extends KubeObject>(
  { group, kind }: Pick<Resource, 'group' | 'kind'>,
  intent: T,
): T {
  if (group !== '' || kind !== 'Secret') return intent
  const { data = {}, stringData = {}, ...others } = intent as T & SecretFields
  if (!areTexts(data) || !areTexts(stringData)) return intent
  const encoded = Object.entries(stringData).map(([name, text]) => [name, toBase64(text)])
  const compact = Object.entries(data).map(([name, text]) => [name, text.replace(/[\r\n]/g, '')])
  const all = Object.fromEntries([...compact, ...encoded])
  const isLeftOut = Object.keys(all).length === 0 && (intent as SecretFields).data === undefined
  return { ...others, ...(!isLeftOut && { data: all }) } as unknown as T
}

const toBase64 = (text: string) => Buffer.from(text).toString('base64')

function areTexts(value: unknown): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string')
}
