import { fieldOverhead, type HeaderField } from './hpack/header-field.js'

/** The largest list of header fields that is accepted, in octets, counting 32 extra octets for each field. */
export const maxHeaderListBytes = 256 * 1024

/** The header fields of an answer, or its trailers. The list accepts any fields and reports their problem. */
export class HeaderList {
  /** The HTTP status code; 0 if there is none. */
  status = 0
  /** The headers by lower-case name; repeated headers are joined by a comma. */
  readonly headers: Record<string, string> = {}
  /** Why the answer is malformed (RFC 9113, section 8.1.1). */
  problem: string | undefined
  #bytes = 0
  #hasRegularField = false

  /** Called by the decoder with each field of the block, in order. */
  add(field: HeaderField): void {
    this.#bytes += field.size
    if (this.#bytes > maxHeaderListBytes) this.problem ??= `more than ${maxHeaderListBytes} bytes of headers`
    if (this.problem !== undefined) return
    if (!field.isValid) this.problem = 'a header that HTTP/2 forbids'
    else if (field.name.charCodeAt(0) === colon) this.#addStatus(field)
    else this.#addRegular(field)
  }

  #addStatus({ name, value }: HeaderField): void {
    const isValid =
      name === ':status' && this.status === 0 && !this.#hasRegularField && /^[1-9]\d\d$/.test(value)
    if (isValid) this.status = Number(value)
    else this.problem = 'a pseudo-header that is unknown, repeated or in the wrong place'
  }

  #addRegular({ name, value }: HeaderField): void {
    this.#hasRegularField = true
    const { headers } = this
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  }
}

/** The size of a header field as the peer's SETTINGS_MAX_HEADER_LIST_SIZE counts it. */
export function fieldBytes(name: string, value: string): number {
  return name.length + value.length + fieldOverhead
}

const colon = 58
