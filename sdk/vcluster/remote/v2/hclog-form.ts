import type { LogForm } from '../../../engine/observe/create-logger.js'
import { hclogTime, withoutHclogNames } from './hclog.js'

/** The destination of log lines that vcluster prints. */
export interface HclogSink {
  line(line: string): void
}

/** The form of log lines that vcluster prints, for a plugin inside its container. */
export function hclogForm(sink: HclogSink): LogForm {
  return {
    options: {
      messageKey: '@message',
      timestamp: () => `,"@timestamp":"${hclogTime(new Date())}"`,
      formatters: { level: hclogLevel, log: withoutHclogNames, bindings: withoutHclogNames },
    },
    write: (line) => sink.line(line),
  }
}

/** vcluster drops lines below `info`, even if the plugin's own `LOG_LEVEL` asks for them. */
function hclogLevel(label: string): object {
  if (label === 'fatal') return { '@level': 'error' }
  return ['trace', 'debug'].includes(label) ? { '@level': 'info', level: label } : { '@level': label }
}
