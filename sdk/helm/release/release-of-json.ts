import { isJsonObject } from '../../engine/kube/json-object.js'
import type { JsonObject } from '../chart/json-object.js'
import { maxObjects } from '../render/manifest.js'
import type { ReleaseHook } from '../render/release-hook.js'
import type { RecordedChart, RecordedFile } from '../render/renderer.js'
import type { Release } from './release.js'
import { UnreadableReleaseError } from './unreadable-release.js'

/**
 * The release in the JSON of a record. Go leaves out empty fields, and writes null for empty lists, maps and bytes.
 * Throws {@link UnreadableReleaseError} for a record whose fields have other types: users may edit records.
 */
export function releaseOfJson(read: unknown): Release {
  if (!isJsonObject(read)) throw damaged('it is not a JSON object')
  const { name, version, info, chart, config, manifest, hooks, namespace } = read
  if (typeof name !== 'string' || typeof version !== 'number') throw damaged('it has no name or no version')
  return {
    ...(read as Partial<Release>),
    name,
    version,
    namespace: typeof namespace === 'string' ? namespace : '',
    info: infoOf(isJsonObject(info) ? info : {}),
    chart: chartOf(isJsonObject(chart) ? chart : {}),
    config: isJsonObject(config) ? config : {},
    manifest: manifestOf(manifest),
    hooks: hookList(hooks).map((hook, index) => hookOf(hook, `hook ${index + 1}`)),
  }
}

const damaged = (problem: string) => new UnreadableReleaseError(`it is not a record of Helm: ${problem}`)

function manifestOf(value: unknown): string {
  const manifest = typeof value === 'string' ? value : ''
  let documents = 0
  for (let at = manifest.indexOf('\n---'); at >= 0; at = manifest.indexOf('\n---', at + 1))
    if (++documents > maxObjects) throw damaged(`it has more than ${maxObjects} objects`)
  return manifest
}

function infoOf(info: JsonObject): Release['info'] {
  const status = textOf('status', info.status) || 'unknown'
  return { ...info, status: status as Release['info']['status'] }
}

const emptyChart = { metadata: {}, lock: null, values: {}, schema: null }

function chartOf(read: JsonObject): RecordedChart {
  const chart = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null))
  return {
    ...emptyChart,
    ...chart,
    templates: filesOf('templates', chart.templates),
    files: filesOf('files', chart.files),
  }
}

function filesOf(field: string, value: unknown): RecordedFile[] {
  return listOf(field, value).map((file, index) => {
    const what = `file ${index + 1} of ${field}`
    if (!isJsonObject(file)) throw damaged(`${what} is not an object`)
    return { ...file, name: textOf(`name of ${what}`, file.name), data: textOf(`data of ${what}`, file.data) }
  })
}

function hookList(value: unknown): readonly unknown[] {
  const hooks = listOf('hooks', value)
  if (hooks.length > maxObjects) throw damaged(`it has more than ${maxObjects} hooks`)
  return hooks
}

function hookOf(hook: unknown, what: string): ReleaseHook {
  if (!isJsonObject(hook)) throw damaged(`${what} is not an object`)
  const text = (field: string) => textOf(`${field} of ${what}`, hook[field])
  const texts = (field: string) => textsOf(`${field} of ${what}`, hook[field])
  for (const policies of ['delete_policies', 'output_log_policies']) texts(policies)
  return {
    ...hook,
    name: text('name'),
    kind: text('kind'),
    path: text('path'),
    manifest: text('manifest'),
    events: texts('events'),
  }
}

/** A list; empty if it is left out. */
function listOf(what: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value ?? [])) throw damaged(`${what} is not a list`)
  return (value ?? []) as unknown[]
}

/** A list of texts; empty if it is left out. */
function textsOf(what: string, value: unknown): string[] {
  const texts: unknown = value ?? []
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== 'string'))
    throw damaged(`${what} is not a list of texts`)
  return texts as string[]
}

/** A text; empty if it is left out. */
function textOf(what: string, value: unknown): string {
  if (typeof (value ?? '') !== 'string') throw damaged(`${what} is not a text`)
  return (value ?? '') as string
}
