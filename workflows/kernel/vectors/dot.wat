;; The products of one vector with many rows, four numbers at a time in four sums that do not wait
;; for each other. Addresses and lengths are in bytes. A row has a multiple of 64 of them, there is
;; at least one row, and what is beyond the vector is 0. `npm run generate` assembles it.
(module
  (import "hub" "memory" (memory 1))
  (func (export "dot")
    (param $query i32) (param $row i32) (param $rows i32) (param $out i32) (param $length i32)
    (local $at i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (loop $each
      (local.set $a (v128.const f32x4 0 0 0 0))
      (local.set $b (v128.const f32x4 0 0 0 0))
      (local.set $c (v128.const f32x4 0 0 0 0))
      (local.set $d (v128.const f32x4 0 0 0 0))
      (local.set $at (i32.const 0))
      (loop $step
        (local.set $a (f32x4.add (local.get $a) (f32x4.mul
          (v128.load (i32.add (local.get $query) (local.get $at)))
          (v128.load (i32.add (local.get $row) (local.get $at))))))
        (local.set $b (f32x4.add (local.get $b) (f32x4.mul
          (v128.load offset=16 (i32.add (local.get $query) (local.get $at)))
          (v128.load offset=16 (i32.add (local.get $row) (local.get $at))))))
        (local.set $c (f32x4.add (local.get $c) (f32x4.mul
          (v128.load offset=32 (i32.add (local.get $query) (local.get $at)))
          (v128.load offset=32 (i32.add (local.get $row) (local.get $at))))))
        (local.set $d (f32x4.add (local.get $d) (f32x4.mul
          (v128.load offset=48 (i32.add (local.get $query) (local.get $at)))
          (v128.load offset=48 (i32.add (local.get $row) (local.get $at))))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br_if $step (i32.lt_u (local.get $at) (local.get $length))))
      (local.set $a (f32x4.add
        (f32x4.add (local.get $a) (local.get $b))
        (f32x4.add (local.get $c) (local.get $d))))
      (f32.store (local.get $out) (f32.add
        (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
        (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $row (i32.add (local.get $row) (local.get $length)))
      (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
      (br_if $each (local.get $rows)))))
