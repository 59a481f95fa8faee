import type { DiffLine } from '../../../engine/inspector/explanation-view.js'

/** Members of the metadata that each API server decides. */
const serverSet: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
])

/** Marks each line of two objects in YAML that the API servers decide. */
export function withServerSet(lines: readonly DiffLine[]): DiffLine[] {
  const [virtualReader, hostReader] = [new MetadataReader(), new MetadataReader()]
  return lines.map((line) => {
    const virtual = line.virtual !== null && virtualReader.isServerSet(line.virtual)
    const host = line.host !== null && hostReader.isServerSet(line.host)
    if (!virtual && !host) return line
    return { ...line, serverSet: virtual && host ? 'both' : virtual ? 'virtual' : 'host' }
  })
}

/** Reads the YAML of an object, line by line. */
class MetadataReader {
  #isMetadata = false
  #member = ''

  isServerSet(line: string): boolean {
    if (/^\S/.test(line)) this.#isMetadata = line === 'metadata:'
    // Deeper lines belong to the member above them.
    const [, member] = /^ {2}([^\s:-][^:]*):/.exec(line) ?? []
    if (/^\S/.test(line)) this.#member = ''
    else if (member !== undefined) this.#member = member
    return this.#isMetadata && serverSet.has(this.#member)
  }
}
