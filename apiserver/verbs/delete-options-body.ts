import { recordOf } from '../base/object.js'
import {
  bodyFormat,
  bodyText,
  convertYaml,
  objectWithKind,
  parseJsonBody,
  protobufEnvelope,
  type RawBody,
} from '../request/body.js'
import { badRequest } from '../request/status.js'
import { readMessage } from '../schema/protobuf.js'
import { structNamed } from '../schema/schema.js'

type Members = Record<string, unknown>

/**
 * The members of the `DeleteOptions` in the body of a delete, in any supported format; undefined if there is
 * no body. Clients written in Go send protobuf for built-in kinds. Throws 400, 413 or 415.
 */
export async function deleteOptionsBody(request: RawBody): Promise<Members | undefined> {
  if (request.body === undefined || request.body.length === 0) return undefined
  const members = await membersOf(request)
  const kind = members.kind || 'DeleteOptions'
  if (kind === 'DeleteOptions') return members
  const version = String(members.apiVersion || 'v1')
  throw badRequest(
    `no kind "${String(kind)}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:111"`,
  )
}

function membersOf(request: RawBody): Members | Promise<Members> {
  switch (bodyFormat(request)) {
    case 'protobuf':
      return fromProtobuf(request)
    case 'yaml':
      return fromYaml(request)
    case 'json':
      return recordOf(objectWithKind(parseJsonBody(bodyText(request.body), unreadable), unreadable))
  }
}

const unreadable = (problem: string) => `couldn't get version/kind; json parse error: ${problem}`

async function fromYaml({ body }: RawBody): Promise<Members> {
  const { json } = await convertYaml(bodyText(body), (problem) => problem)
  return recordOf(objectWithKind(parseJsonBody(json, unreadable), unreadable))
}

function fromProtobuf({ body }: RawBody): Members {
  const { kind, apiVersion, raw } = protobufEnvelope(body, (problem) => problem)
  const isOptions = kind === '' || kind === 'DeleteOptions'
  if (!isOptions) return { kind, apiVersion }
  try {
    return readMessage(raw, structNamed('meta/v1.DeleteOptions'))
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest(error.message)
    throw error
  }
}
