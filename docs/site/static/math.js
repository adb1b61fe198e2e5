// KaTeX in place of the MathML that the page came with.
document.addEventListener("DOMContentLoaded", () => {
  for (const node of document.querySelectorAll(".math[data-tex]"))
    katex.render(node.dataset.tex, node, { displayMode: node.tagName === "DIV", throwOnError: false });
});
