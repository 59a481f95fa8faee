import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  type Tracer,
  trace,
} from '@opentelemetry/api'

/** A span that has ended. */
export interface RecordedSpan {
  name: string
  id: string
  /** Undefined for the first span of a trace. */
  parent: string | undefined
  attributes: Attributes
  status: SpanStatus | undefined
}

/** Registers a small SDK of OpenTelemetry for this process, which keeps the spans. */
export function recordSpans(): { spans: readonly RecordedSpan[]; end(): void } {
  const spans: RecordedSpan[] = []
  const active = new AsyncLocalStorage<Context>()
  const tracer = {
    startActiveSpan(name: string, options: SpanOptions, work: (span: Span) => unknown) {
      const parent = trace.getActiveSpan()?.spanContext().spanId
      const span = new TestSpan({ name, parent, attributes: { ...options.attributes } }, spans)
      return context.with(trace.setSpan(context.active(), span as unknown as Span), () =>
        work(span as unknown as Span),
      )
    },
  }
  trace.setGlobalTracerProvider({ getTracer: () => tracer as unknown as Tracer })
  context.setGlobalContextManager({
    active: () => active.getStore() ?? ROOT_CONTEXT,
    with: (entered, work, self, ...args) => active.run(entered, () => work.apply(self as never, args)),
    bind: (_context, target) => target,
    enable() {
      return this
    },
    disable() {
      return this
    },
  })
  propagation.setGlobalPropagator({
    inject: (from, carrier, setter) =>
      setter.set(carrier, 'traceparent', trace.getSpan(from)?.spanContext().spanId ?? ''),
    extract: (from) => from,
    fields: () => ['traceparent'],
  })
  const end = () => {
    trace.disable()
    context.disable()
    propagation.disable()
  }
  return { spans, end }
}

let made = 0

class TestSpan {
  readonly #span: RecordedSpan
  readonly #ended: RecordedSpan[]

  constructor(span: Pick<RecordedSpan, 'name' | 'parent' | 'attributes'>, ended: RecordedSpan[]) {
    made++
    this.#span = { ...span, id: `span-${made}`, status: undefined }
    this.#ended = ended
  }

  spanContext(): SpanContext {
    return { traceId: 'trace', spanId: this.#span.id, traceFlags: 1 }
  }

  setAttributes(attributes: Attributes): void {
    Object.assign(this.#span.attributes, attributes)
  }

  setStatus(status: SpanStatus): void {
    this.#span.status = status
  }

  end(): void {
    this.#ended.push(this.#span)
  }
}
