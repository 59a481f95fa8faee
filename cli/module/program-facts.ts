import { compatibleVersions, version as sdkVersion } from '../../sdk/engine/transport/version.js'
import type { InspectedProgram } from '../program-files/inspect-program.js'

const anyVersion = `any version (this is ${sdkVersion}); name those that it runs with in defineProgram, such as sdk: '${compatibleVersions}'`

/** The lines that both commands print about a program. */
export function programFacts({ content, digest, description }: InspectedProgram): string[] {
  const { name = '(without a name)', version = '', sdk, permissions } = description
  return [
    `program  ${name} ${version}`.trimEnd(),
    `size     ${sizeText(content.length)}`,
    `digest   ${digest}`,
    `sdk      ${sdk === undefined ? anyVersion : `${sdk} (this is ${sdkVersion})`}`,
    ...(permissions === undefined
      ? ['may      everything that the operator may; list its permissions in defineProgram']
      : permissions.map(ruleText)),
  ]
}

/** A size in KiB, or in bytes if it is small. */
export const sizeText = (bytes: number): string =>
  bytes < 1024 ? `${bytes} bytes` : `${Math.ceil(bytes / 1024)} KiB`

function ruleText({
  group,
  resource,
  verbs,
  namespace,
}: {
  group: string
  resource: string
  verbs: readonly string[]
  namespace?: string | undefined
}): string {
  const qualifiedResource = group === '' ? resource : `${resource}.${group}`
  return `may      ${verbs.join(', ')} ${qualifiedResource}${namespace === undefined ? '' : ` in namespace ${namespace}`}`
}
