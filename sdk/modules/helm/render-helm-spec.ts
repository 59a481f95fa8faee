import { PermanentError } from '../../engine/kube/error.js'
import { hashedName, isReleaseName } from '../../helm/release/release-name.js'
import { group } from '../kinds/fields.js'
import { type RandomText, renderTemplates, type TemplateValues } from '../template/render-templates.js'
import { type HelmSpec, helmPath, readHelmSpec } from './helm-spec.js'

/** A Module and its configuration, which templates use. */
export interface SpecOwner {
  readonly name: string
  readonly namespace: string
  readonly values: Readonly<Record<string, unknown>>
}

/** The name of a release and its namespace. */
export interface ReleaseKey {
  readonly name: string
  readonly namespace: string
}

/** A spec with its templates rendered, and the release that it asks for. */
export interface RenderedSpec {
  readonly spec: HelmSpec
  readonly release: ReleaseKey
}

/** Renders the spec of a Module: first the name of the release, then its namespace, then everything. */
export function renderHelmSpec(
  spec: Record<string, unknown>,
  owner: SpecOwner,
  random: RandomText,
): RenderedSpec {
  const release = renderReleaseKey(spec, owner)
  const { name: releaseName, namespace } = release
  const values = { config: owner.values, releaseName, namespace }
  return { spec: readHelmSpec(renderTemplates(spec, { values, random, path: helmPath })), release }
}

/** The release that a spec asks for. */
export function renderReleaseKey(spec: Record<string, unknown>, owner: SpecOwner): ReleaseKey {
  const config = owner.values
  const { releaseName, namespace = 'default', existingRelease } = spec
  const existing = existingRelease as Partial<ReleaseKey> | undefined
  const place = existing ? (existing.namespace ?? 'default') : namespace
  const name = render(existing?.name ?? releaseName ?? '', 'releaseName', { config }) || defaultName(owner)
  const values = { config, releaseName: String(name) }
  return {
    name: textOf(name, 'releaseName'),
    namespace: textOf(render(place, 'namespace', values), 'namespace'),
  }
}

function render(value: unknown, field: string, values: TemplateValues): unknown {
  const random = () => {
    throw new PermanentError(`${helmPath}.${field}: a random text is not possible here`)
  }
  return renderTemplates(value, { values, random, path: `${helmPath}.${field}` })
}

/** Modules of one name in two namespaces must not share a release. */
const defaultName = ({ name, namespace }: SpecOwner) => hashedName({ kind: 'Module', group, namespace, name })

function textOf(value: unknown, field: string): string {
  if (typeof value === 'string' && isReleaseName(value)) return value
  throw new PermanentError(`${helmPath}.${field}: ${JSON.stringify(value)} is not a name that Helm accepts`)
}
