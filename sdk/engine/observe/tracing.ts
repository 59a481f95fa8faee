import type { Attributes, Span, SpanKind } from '@opentelemetry/api'

/** A span to begin. */
export interface SpanOptions {
  /** The name of the span. It must not contain names of objects, because traces need few distinct names. */
  name: string
  attributes: Attributes
  /** The kind of the span; default `internal`. */
  kind?: 'client' | 'server'
  /** Whether the span is made only inside another span; default false. */
  onlyInside?: boolean
}

/** The part of a span that the traced work can use. */
export interface OpenSpan {
  set(attributes: Attributes): void
  /** The headers by which a server continues the trace. */
  readonly headers: Readonly<Record<string, string>>
}

type Api = typeof import('@opentelemetry/api')

const none: OpenSpan = { set: () => {}, headers: {} }

/** Runs work in spans of OpenTelemetry. */
export class Tracing {
  /** Loaded with the first span. */
  #api: Promise<Api> | undefined

  /**
   * Runs work in a span, which ends with the work. The span gets the type and code of an error, but not its message,
   * which may quote what users wrote.
   */
  async span<T>(options: SpanOptions, work: (span: OpenSpan) => Promise<T>): Promise<T> {
    this.#api ??= import('@opentelemetry/api')
    const api = await this.#api
    if (options.onlyInside && !api.trace.getActiveSpan()) return work(none)
    const { name, attributes } = options
    const kind = kindOf(api, options)
    const tracer = api.trace.getTracer('vcluster-plugin-sdk')
    return tracer.startActiveSpan(name, { kind, attributes }, (span) => inSpan(api, span, work))
  }
}

function kindOf({ SpanKind }: Api, { kind }: SpanOptions): SpanKind {
  if (kind === undefined) return SpanKind.INTERNAL
  return kind === 'client' ? SpanKind.CLIENT : SpanKind.SERVER
}

async function inSpan<T>(
  { context, propagation, SpanStatusCode }: Api,
  span: Span,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  try {
    return await work({ set: (attributes) => span.setAttributes(attributes), headers })
  } catch (error) {
    const { name = 'Error', code } = Object(error) as { name?: string; code?: string | number }
    span.setAttributes({ 'error.type': name, ...(code !== undefined && { 'error.code': code }) })
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

/**
 * The key under which `@opentelemetry/api` 1 keeps what a program registered, for all copies of the package in a
 * process.
 */
const registry = Symbol.for('opentelemetry.js.api.1')

/**
 * The tracing of this process, if an SDK of OpenTelemetry was registered before, for example by
 * `node --import @opentelemetry/auto-instrumentations-node/register`. Undefined otherwise; then nothing is loaded.
 */
export function processTracing(): Tracing | undefined {
  const { trace } = (Reflect.get(globalThis, registry) ?? {}) as { trace?: unknown }
  return trace === undefined ? undefined : new Tracing()
}
