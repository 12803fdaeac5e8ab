import { servePlugin } from './plugins/serve.ts'

void servePlugin()
