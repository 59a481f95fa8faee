/** A type of messages, as generated code describes it. */
export interface MessageType<Message> {
  encode(message: Message): { finish(): Uint8Array }
  decode(bytes: Uint8Array): Message
}

/** A method of {@link ServiceDefinition}. */
export interface MethodDefinition {
  readonly name: string
  readonly requestType: MessageType<unknown>
  readonly responseType: MessageType<unknown>
  readonly requestStream: boolean
  readonly responseStream: boolean
}

/** A service as generated code describes it: ts-proto with `outputServices=generic-definitions`. */
export interface ServiceDefinition {
  /** With its package: `grpc.health.v1.Health`. */
  readonly fullName: string
  readonly methods: Readonly<Record<string, MethodDefinition>>
}

/** A method that can be called and served. */
export interface Method<Request, Response> {
  /** For example `/grpc.health.v1.Health/Check`. */
  readonly path: string
  /** Whether the caller sends any number of requests. */
  readonly requestStream: boolean
  /** Whether the server sends any number of responses. */
  readonly responseStream: boolean
  encodeRequest(request: Request): Buffer
  decodeRequest(bytes: Buffer): Request
  encodeResponse(response: Response): Buffer
  decodeResponse(bytes: Buffer): Response
}

type MessageOf<Type> = Type extends MessageType<infer Message> ? Message : never

/** The type of the requests of a method. */
export type RequestOf<M extends MethodDefinition> = MessageOf<M['requestType']>

/** The type of the responses of a method. */
export type ResponseOf<M extends MethodDefinition> = MessageOf<M['responseType']>

/** The methods of a service, by their names in generated code. */
export type MethodsOf<S extends ServiceDefinition> = {
  readonly [Name in keyof S['methods']]: Method<RequestOf<S['methods'][Name]>, ResponseOf<S['methods'][Name]>>
}

/**
 * The methods of a service.
 *
 * @example
 * ```ts
 * const { check } = methodsOf(HealthDefinition)
 * const { status } = await client.call(check, { service: '' })
 * ```
 */
export function methodsOf<S extends ServiceDefinition>({ fullName, methods }: S): MethodsOf<S> {
  const entries = Object.entries(methods).map(([name, method]) => [name, methodOf(fullName, method)])
  return Object.fromEntries(entries) as MethodsOf<S>
}

function methodOf(service: string, definition: MethodDefinition): Method<unknown, unknown> {
  const { name, requestType, responseType, requestStream, responseStream } = definition
  return {
    path: `/${service}/${name}`,
    requestStream,
    responseStream,
    encodeRequest: (request) => encode(requestType, request),
    decodeRequest: (bytes) => requestType.decode(bytes),
    encodeResponse: (response) => encode(responseType, response),
    decodeResponse: (bytes) => responseType.decode(bytes),
  }
}

/** The bytes of a message, without a copy. */
function encode(type: MessageType<unknown>, message: unknown): Buffer {
  const bytes = type.encode(message).finish()
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
