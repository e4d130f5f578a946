/** Builds the figures of the page. */

import { buildAnalogies } from "geometry/analogies";
import { buildCurvature } from "geometry/curvature";
import { Figure } from "geometry/figure";
import { buildHyperboloid } from "geometry/hyperboloid";
import { buildRoundTrip } from "geometry/round_trip";
import { buildTransport } from "geometry/transport";
import { buildTree } from "geometry/tree";
import { buildTriangle } from "geometry/triangle";
import { buildTwoPoints } from "geometry/two_points";

const BUILDERS = {
  "two-points": buildTwoPoints,
  hyperboloid: buildHyperboloid,
  triangle: buildTriangle,
  curvature: buildCurvature,
  transport: buildTransport,
  "round-trip": buildRoundTrip,
  analogies: buildAnalogies,
  tree: buildTree,
};

for (const host of document.querySelectorAll("[data-figure]")) {
  BUILDERS[host.dataset.figure](new Figure(host));
}
// Scripts and tests wait for this: all figures have been drawn.
requestAnimationFrame(() => requestAnimationFrame(() => {
  document.documentElement.dataset.ready = "true";
}));
