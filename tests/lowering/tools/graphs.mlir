// RUN: htp-opt %s -t dot | filecheck %s --check-prefix DOT
// RUN: htp-opt %s -t model-explorer | filecheck %s --check-prefix JSON
// RUN: htp-opt %s -p htp-lower -t 'model-explorer{data=memory}' | filecheck %s --check-prefix DATA
// RUN: not htp-opt %s -t 'model-explorer{data=colour}' 2>&1 | filecheck %s --check-prefix BAD

// A module as a graph, at any level: for Graphviz, and for Model Explorer with data to lay over it. Parts of node names are clusters.

// DOT:      digraph "main" {
// DOT:      subgraph "cluster_0" {
// DOT-NEXT:   label="block";
// DOT-NEXT:   "op0" [label="Relu\n2x3 Float32"
// DOT:      "in0" -> "op0";

// JSON: "id": "main"
// JSON: "id": "op0"
// JSON-NEXT: "label": "Relu"
// JSON-NEXT: "namespace": "block"

// DATA: "value": "tcm"

// BAD: model-explorer: data 'colour' is not known
// BAD-NEXT: bytes
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}) -> (tensor<2x3xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Relu(%x) {htp.name = "block/relu"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
