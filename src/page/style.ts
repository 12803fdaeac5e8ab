/** How code, diffs and quoted Markdown look on a light and on a dark page. */
export const PAGE_STYLE = `:root{--ins:#1a7f3726;--del:#cf222e22;--edge:#8883;--dim:#8889;--kw:#a626a4;--str:#50823a;--num:#b76b01;--fn:#3568c4;--com:#868b94}
@media(prefers-color-scheme:dark){:root{--kw:#d58fe0;--str:#9ccb86;--num:#e0a96d;--fn:#82aaff;--com:#8a919c}}
pre{overflow-x:auto;font:.86em/1.5 ui-monospace,monospace;background:#8881;border:1px solid var(--edge);border-radius:6px;padding:.6rem .8rem;margin:.5rem 0}
code{font-family:ui-monospace,monospace;font-size:.92em}
.diff .file{font:600 .86em ui-monospace,monospace;overflow-wrap:anywhere}.diff pre{padding:.4rem 0}.diff span{display:inline-block;min-width:100%;padding:0 .8rem;box-sizing:border-box}
.ins{background:var(--ins)}.del{background:var(--del)}.rest{color:var(--com)}
.hljs-keyword,.hljs-built_in,.hljs-type,.hljs-literal,.hljs-selector-tag{color:var(--kw)}.hljs-string,.hljs-regexp,.hljs-addition{color:var(--str)}.hljs-number,.hljs-symbol,.hljs-attr,.hljs-attribute{color:var(--num)}.hljs-title,.hljs-section,.hljs-name{color:var(--fn)}.hljs-comment,.hljs-quote,.hljs-meta{color:var(--com)}`
