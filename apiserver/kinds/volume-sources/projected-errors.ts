/** The errors of the volumes whose files come from objects; `validateProjectionSources` of Kubernetes v1.36.3. */
import { recordOf, textAt } from '../../base/object.js'
import { type FieldError, forbiddenValue, invalidValue, required } from '../../validation/field-error.js'
import { fieldPathErrors, resourceFieldErrors } from '../downward-field-errors.js'
import type { Source } from './disk-errors.js'
import { fileErrors, modeErrors } from './path-errors.js'

const list = (value: unknown): Source[] => (Array.isArray(value) ? value.map((each) => recordOf(each)) : [])

/** The errors of a volume of a ConfigMap or a Secret, whose name is in this member. */
export function keysErrors(source: Source, path: string, name: 'name' | 'secretName'): FieldError[] {
  return [
    ...(textAt(source, name) === '' ? [required(`${path}.${name}`, '')] : []),
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...itemsErrors(source, path),
  ]
}

function itemsErrors({ items }: Source, path: string): FieldError[] {
  return list(items).flatMap((item, index) => itemErrors(item, `${path}.items[${index}]`))
}

function itemErrors(item: Source, path: string): FieldError[] {
  const file = textAt(item, 'path')
  return [
    ...(textAt(item, 'key') === '' ? [required(`${path}.key`, '')] : []),
    ...(file === '' ? [required(`${path}.path`, '')] : []),
    ...fileErrors(`${path}.path`, file),
    ...modeErrors(`${path}.mode`, item.mode),
  ]
}

/** The errors of a volume of fields of its pod. */
export function downwardErrors(source: Source, path: string): FieldError[] {
  return [
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...list(source.items).flatMap((file) => downwardFileErrors(file, path)),
  ]
}

function downwardFileErrors(file: Source, path: string): FieldError[] {
  const name = textAt(file, 'path')
  return [
    ...(name === '' ? [required(`${path}.path`, '')] : []),
    ...fileErrors(`${path}.path`, name),
    ...contentErrors(file, path),
    ...modeErrors(`${path}.mode`, file.mode),
  ]
}

function contentErrors({ fieldRef, resourceFieldRef }: Source, path: string): FieldError[] {
  const both = 'fieldRef and resourceFieldRef can not be specified simultaneously'
  if (fieldRef !== undefined) {
    return [
      ...fieldPathErrors(recordOf(fieldRef), { path: `${path}.fieldRef`, isFile: true }),
      ...(resourceFieldRef === undefined ? [] : [invalidValue(path, 'resource', both)]),
    ]
  }
  if (resourceFieldRef === undefined)
    return [required(path, 'one of fieldRef and resourceFieldRef is required')]
  return resourceFieldErrors(recordOf(resourceFieldRef), { path: `${path}.resourceFieldRef`, isFile: true })
}

/** The place of one source of a projected volume. */
interface Projection {
  /** The path of the volume. */
  readonly volume: string
  /** The path of the source. */
  readonly path: string
  /** The files of the sources before it. */
  readonly files: Set<string>
}

/** The errors of a volume that is projected from several sources. */
export function projectedErrors(source: Source, path: string): FieldError[] {
  const files = new Set<string>()
  return [
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...list(source.sources).flatMap((each, index) =>
      projectionErrors(each, { volume: path, path: `${path}.sources[${index}]`, files }),
    ),
  ]
}

function projectionErrors(source: Source, projection: Projection): FieldError[] {
  const givenNames = Object.keys(projections).filter((name) => source[name] !== undefined)
  const errors = givenNames.flatMap((name) => {
    const path = `${projection.path}.${name}`
    return projections[name]?.(recordOf(source[name]), { ...projection, path }) ?? []
  })
  const why = 'may not specify more than 1 volume type per source'
  return givenNames.length > 1 ? [...errors, forbiddenValue(projection.path, why)] : errors
}

/** An error for a file that an earlier source writes as well. */
function duplicateFileErrors(file: string, { files, volume }: Projection, shownPath = file): FieldError[] {
  if (!files.has(file)) {
    files.add(file)
    return []
  }
  return [invalidValue(volume, shownPath, 'conflicting duplicate paths')]
}

function keyFileErrors(source: Source, projection: Projection): FieldError[] {
  const { path } = projection
  const name = textAt(source, 'name')
  return [
    ...(name === '' ? [required(`${path}.name`, '')] : []),
    ...list(source.items).flatMap((item, index) => {
      const file = textAt(item, 'path')
      return [
        ...itemErrors(item, `${path}.items[${index}]`),
        ...(file === '' ? [] : duplicateFileErrors(file, projection, name)),
      ]
    }),
  ]
}

function fieldFileErrors(source: Source, projection: Projection): FieldError[] {
  return list(source.items).flatMap((item) => {
    const file = textAt(item, 'path')
    return [
      ...downwardFileErrors(item, projection.path),
      ...(file === '' ? [] : duplicateFileErrors(file, projection)),
    ]
  })
}

const minSeconds = 600
const maxSeconds = 2 ** 32

function tokenFileErrors(source: Source, { volume, path }: Projection): FieldError[] {
  const { expirationSeconds: seconds = 3600 } = source
  const [file, field] = [textAt(source, 'path'), `${path}.expirationSeconds`]
  const isShort = Number(seconds) < minSeconds
  const isLong = Number(seconds) > maxSeconds
  return [
    ...(isShort ? [invalidValue(field, seconds, 'may not specify a duration less than 10 minutes')] : []),
    ...(isLong ? [invalidValue(field, seconds, 'may not specify a duration larger than 2^32 seconds')] : []),
    ...(file === '' ? [required(`${volume}.path`, '')] : fileErrors(`${volume}.path`, file)),
  ]
}

const projections: Readonly<Record<string, (source: Source, projection: Projection) => FieldError[]>> = {
  secret: keyFileErrors,
  configMap: keyFileErrors,
  downwardAPI: fieldFileErrors,
  serviceAccountToken: tokenFileErrors,
}
