// Sorting and filters. Without this file everything is there, in its order.
"use strict";

for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, at) => {
    const cell = row.cells[at];
    const told = cell.dataset.value ?? cell.textContent.trim().replace(/[,<]/g, "").replace("−", "-");
    const number = Number.parseFloat(told);
    return Number.isNaN(number) ? told : number;
  };
  const order = (one, two) =>
    typeof one === typeof two
      ? typeof one === "number" ? one - two : one.localeCompare(two)
      : typeof one === "number" ? 1 : -1;
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    if (!button.textContent) {
      button.textContent = "name";
    }
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].sort((one, two) => order(value(one, at), value(two, at)));
      body.append(...(down ? rows.reverse() : rows));
    });
  });
}

const form = document.getElementById("filters");
if (form) {
  const episodes = [...document.querySelectorAll("details.episode")];
  const instances = [...document.querySelectorAll("details.instance")];
  const left = document.getElementById("left");
  const show = () => {
    const wanted = [...new FormData(form)].filter(([, value]) => value);
    let count = 0;
    for (const one of episodes) {
      one.hidden = wanted.some(([name, value]) => one.dataset[name] !== value);
      count += one.hidden ? 0 : 1;
    }
    for (const one of instances) {
      one.hidden = !one.querySelector("details.episode:not([hidden])");
    }
    left.textContent = wanted.length ? `${count} of ${episodes.length} shown` : "";
  };
  const unfold = document.getElementById("unfold");
  unfold.addEventListener("click", () => {
    const open = unfold.textContent === "Unfold all";
    for (const one of instances) {
      one.open = open;
    }
    unfold.textContent = open ? "Fold all" : "Unfold all";
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", show);
  form.hidden = false;
  show();
}

// What is folded up would be missing on paper.
addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("details.long")) {
    one.open = true;
  }
});
