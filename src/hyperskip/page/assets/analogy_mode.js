/** The mode for analogies a : b = c : ?. */

import { analogyAnswers, analogyScene } from "hyperskip/analogy_scene";
import { ask } from "hyperskip/api";
import { QueryMode } from "hyperskip/query_mode";
import { element, shown } from "hyperskip/dom";

const ANSWERS = 8;

export class AnalogyMode extends QueryMode {
  constructor(host, page) {
    const lead = "a is to b as c is to …";
    super(host, page, {
      lead, labels: ["a", "b", "c"], action: "Answer", result: element("div", {}),
    });
  }

  offer() {
    this.offerOf(this.page.examples.analogies, ([a, b, c]) => `${a} : ${b} = ${c} : ?`);
  }

  ask([a, b, c], signal) {
    return ask("analogy", { a, b, c, count: ANSWERS }, signal);
  }

  list() {
    const goTo = ({ word }) => this.page.goTo(word, { focus: true });
    this.result.replaceChildren(...analogyAnswers(this.answer.routes, goTo));
  }

  spoken([a, b, c]) {
    const best = this.answer.routes.Z.answers[0];
    return best && `${shown(a)} is to ${shown(b)} as ${shown(c)} is to ${shown(best.word)}`;
  }

  draw(move = false) {
    if (this.answer === null) return;
    const { a, b, c, routes } = this.answer;
    const scene = analogyScene(this.answer, ({ word }) => this.page.indexOf(word));
    const places = [a, b, c, routes.Z, routes["Z'"]].map((word) => [word.x, word.y]);
    this.page.show(this, scene, move ? places : []);
  }
}
